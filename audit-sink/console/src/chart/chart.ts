import type { ChartSplit, Filter, Period } from "../address/view.js";
import { byId } from "../page/dom.js";
import { countText, eventsText } from "../page/numbers.js";
import { visibleText } from "../page/visible-text.js";
import type { Stats } from "../sink/types.js";
import type { TimeFormat } from "../time/time-format.js";
import { barAt, drawChart } from "./draw-chart.js";
import { Legend } from "./legend.js";
import { type Series, seriesOf, seriesText } from "./series.js";

/** The parts of the page that the chart calls back. */
export interface ChartListener {
  onChoosePeriod(period: Period): void;
  onFilter(filter: Filter): void;
}

/** Bars that are selected: those from one to another, in any order. */
interface Selection {
  readonly anchor: number;
  readonly end: number;
}

/**
 * Bars over time. A click or Enter narrows the period to the selected bars. The pointer selects one bar, or several when
 * dragged; the arrow keys do, with Shift for several. What is selected is told in words beside the legend.
 */
export class Chart {
  readonly #plot = byId("chart");
  readonly #listener: ChartListener;
  readonly #legend: Legend;
  #stats: Stats | undefined;
  #series: readonly Series[] = [];
  #split: ChartSplit = "byOutcome";
  #times: TimeFormat;
  #selection: Selection | undefined;
  #isDragging = false;

  constructor(times: TimeFormat, listener: ChartListener) {
    this.#times = times;
    this.#listener = listener;
    this.#legend = new Legend((filter) => listener.onFilter(filter));
    const plot = this.#plot;
    new ResizeObserver(() => this.#draw()).observe(plot);
    plot.addEventListener("pointermove", ({ offsetX }) => this.#point(offsetX));
    plot.addEventListener("pointerdown", (event) => {
      this.#isDragging = event.button === 0;
    });
    plot.addEventListener("pointerup", () => {
      if (this.#isDragging) {
        this.#choose();
      }
    });
    plot.addEventListener("pointerleave", () => this.#select(undefined));
    plot.addEventListener("keydown", (event) => this.#onKey(event));
    plot.addEventListener("blur", () => this.#select(undefined));
  }

  show(stats: Stats, split: ChartSplit, times: TimeFormat): void {
    this.#stats = stats;
    this.#split = split;
    this.#times = times;
    this.#series = seriesOf(stats, split);
    this.#legend.show(this.#series, split);
    this.#draw();
  }

  get #count(): number {
    return this.#series[0]?.counts.length ?? 0;
  }

  #draw(): void {
    const width = this.#plot.clientWidth;
    if (this.#stats !== undefined && width > 0) {
      this.#plot.replaceChildren(drawChart(this.#stats, this.#series, width, this.#times));
      this.#plot.setAttribute("aria-valuemax", String(Math.max(0, this.#count - 1)));
      this.#select(this.#selection);
    }
  }

  #point(x: number): void {
    const bar = barAt(x, this.#count, this.#plot.clientWidth);
    if (bar !== undefined) {
      this.#select({ anchor: this.#isDragging ? (this.#selection?.anchor ?? bar) : bar, end: bar });
    }
  }

  #select(selection: Selection | undefined): void {
    this.#selection = selection;
    if (selection === undefined) {
      this.#isDragging = false;
    }
    const [first, last] = this.#bounds;
    for (const bar of this.#plot.querySelectorAll<SVGGElement>(".bar")) {
      const place = Number(bar.dataset["bar"]);
      bar.classList.toggle("selected", selection !== undefined && place >= first && place <= last);
    }
    this.#tell();
  }

  get #bounds(): readonly [number, number] {
    const { anchor, end } = this.#selection ?? { anchor: 0, end: this.#count - 1 };
    return [Math.min(anchor, end), Math.max(anchor, end)];
  }

  /** The period of the selected bars. */
  get #period(): { readonly from: Date; readonly to: Date } {
    const { from = "", bucketSeconds = 0 } = this.#stats ?? {};
    const [first, last] = this.#bounds;
    const ms = (bar: number): number => Date.parse(from) + bar * bucketSeconds * 1000;
    return { from: new Date(ms(first)), to: new Date(ms(last + 1)) };
  }

  /** Tells the counts of the selected bars in words, or those of the whole chart. */
  #tell(): void {
    if (this.#stats === undefined) {
      return;
    }
    const [first, last] = this.#bounds;
    const sums = this.#series.map((series) => {
      const sum = series.counts.slice(first, last + 1).reduce((total, count) => total + count, 0);
      return [series, sum] as const;
    });
    const total = sums.reduce((all, [, sum]) => all + sum, 0);
    this.#legend.count(sums.map(([, sum]) => sum));
    const { complete, countedFrom } = this.#stats;
    const missing = complete ? "" : `, counted from ${this.#times.dateAndTime(new Date(countedFrom))} on`;
    byId("chart-text").textContent = eventsText(total) + missing;
    const range = this.#selection === undefined ? "" : this.#times.range(this.#period.from, this.#period.to);
    byId("chart-range").textContent = range;
    const counts = sums
      .filter(([, sum]) => sum > 0)
      .map(([{ name }, sum]) => `${this.#nameOf(name)} ${countText(sum)}`);
    this.#plot.setAttribute("aria-valuenow", String(first));
    this.#plot.setAttribute(
      "aria-valuetext",
      `${range === "" ? "all bars" : range}: ${counts.join(", ") || "no events"}`,
    );
  }

  #nameOf(name: string): string {
    const { short, words } = seriesText(name, this.#split);
    return visibleText(`${short} ${words}`.trim());
  }

  #choose(): void {
    if (this.#selection !== undefined) {
      const { from, to } = this.#period;
      this.#select(undefined);
      this.#listener.onChoosePeriod({ from: from.toISOString(), to: to.toISOString() });
    }
  }

  #onKey(event: KeyboardEvent): void {
    const last = this.#count - 1;
    const at = this.#selection?.end;
    const moves: Readonly<Record<string, number>> = {
      ArrowRight: at === undefined ? 0 : Math.min(last, at + 1),
      ArrowLeft: at === undefined ? last : Math.max(0, at - 1),
      Home: 0,
      End: last,
    };
    const to = Object.hasOwn(moves, event.key) ? moves[event.key] : undefined;
    if (to !== undefined && last >= 0) {
      event.preventDefault();
      this.#select({ anchor: event.shiftKey ? (this.#selection?.anchor ?? to) : to, end: to });
    } else if (event.key === "Enter") {
      this.#choose();
    } else if (event.key === "Escape" && this.#selection !== undefined) {
      event.stopPropagation();
      this.#select(undefined);
    }
  }
}
