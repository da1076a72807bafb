import type { ChartSplit, View } from "../address/view.js";
import { Chart, type ChartListener } from "../chart/chart.js";
import { byId } from "../page/dom.js";
import { bytesText, countText, eventsText } from "../page/numbers.js";
import { rankedFields, showRankings } from "../rankings/rankings.js";
import type { Api } from "../sink/api.js";
import { foldedQuestionOf, statsQuestionOf } from "../sink/question.js";
import type { Stats } from "../sink/types.js";
import type { TimeFormat } from "../time/time-format.js";

const bars = 60;
const rankingLength = 8;

/**
 * The parts of the page that count events: the chart, the top lists, the number of folded events and what the sink
 * keeps.
 */
export class Summary {
  readonly #api: Api;
  readonly #listener: ChartListener;
  readonly #chart: Chart;
  #stats: Stats | undefined;

  constructor(api: Api, times: TimeFormat, listener: ChartListener) {
    this.#api = api;
    this.#listener = listener;
    this.#chart = new Chart(times, listener);
  }

  /** True once anything has been counted. */
  get hasResult(): boolean {
    return this.#stats !== undefined;
  }

  /** True if the sink keeps no event at all. */
  get isSinkEmpty(): boolean {
    return this.#stats?.index.events === 0;
  }

  /** Counts anew. Rejects with what went wrong. */
  async ask(view: View, times: TimeFormat, signal: AbortSignal): Promise<void> {
    const folded = foldedQuestionOf(view);
    const [stats, hidden] = await Promise.all([
      this.#api.stats(statsQuestionOf(view, bars, rankedFields, rankingLength), signal),
      folded === undefined ? undefined : this.#api.stats(folded, signal),
    ]);
    this.#stats = stats;
    this.draw(view.split, times);
    showRankings(stats, (field, value) => this.#listener.onFilter({ field, value }));
    showFolded(view, hidden);
  }

  /** Shows the last result, split and timed as said. */
  draw(split: ChartSplit, times: TimeFormat): void {
    if (this.#stats !== undefined) {
      this.#chart.show(this.#stats, split, times);
      const { events, bytes, oldest } = this.#stats.index;
      const since = oldest === undefined ? "" : ` since ${times.dateAndTime(new Date(oldest))}`;
      byId("status").textContent = `${eventsText(events)} kept${since}, ${bytesText(bytes)}`;
    }
  }
}

function showFolded({ showsSystem }: View, hidden: Stats | undefined): void {
  const failures = hidden === undefined ? 0 : sumOf(hidden.byOutcome["4xx"]) + sumOf(hidden.byOutcome["5xx"]);
  const failed = failures === 0 ? "" : `, ${countText(failures)} refused or failed`;
  const button = byId("system");
  button.setAttribute("aria-pressed", String(showsSystem));
  button.hidden = hidden === undefined && !showsSystem;
  byId("folded-text").textContent =
    hidden === undefined || hidden.total === 0 ? "" : `${eventsText(hidden.total)} folded${failed}`;
}

function sumOf(counts: readonly number[] = []): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
