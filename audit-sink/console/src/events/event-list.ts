import type { View } from "../address/view.js";
import { byId } from "../page/dom.js";
import { countText } from "../page/numbers.js";
import type { Api } from "../sink/api.js";
import { questionOf } from "../sink/question.js";
import type { Item } from "../sink/types.js";
import type { TimeFormat } from "../time/time-format.js";
import { EventGrid, type GridListener } from "./event-grid.js";

const pageSize = "100";

/** The state of the page that the list tells of. */
export interface ListState {
  readonly isLive: boolean;
  readonly isSinkEmpty: boolean;
}

/** The grid of events with its pages, and the words around it. */
export class EventList {
  readonly grid: EventGrid;
  readonly #api: Api;
  #next: string | undefined;
  #skipped = 0;

  constructor(api: Api, times: TimeFormat, listener: GridListener) {
    this.#api = api;
    this.grid = new EventGrid(byId("rows"), times, listener);
  }

  /** Asks for the newest events of a view. The function that is returned shows them. */
  async ask(view: View, signal: AbortSignal): Promise<() => void> {
    const { items, next } = await this.#api.events(pageQuestion(view), signal);
    return () => {
      this.#skipped = 0;
      this.#next = next;
      this.grid.replace(items);
      this.grid.select(view.event);
    };
  }

  /** Asks for the page that follows, and shows it. */
  async askMore(view: View, signal: AbortSignal): Promise<void> {
    if (this.#next !== undefined) {
      const query = pageQuestion(view);
      query.set("cursor", this.#next);
      const { items, next } = await this.#api.events(query, signal);
      this.grid.append(items);
      this.#next = next;
    }
  }

  /** Shows events that have just come, and counts those that were too many to be sent. */
  prepend(items: readonly Item[], skipped: number): void {
    this.#skipped += skipped;
    this.grid.prepend(items);
    this.#next = undefined;
  }

  /** Tells how many events are shown, or why none is. */
  tell({ isLive, isSinkEmpty }: ListState): void {
    const shown = this.grid.items.length;
    const streamed = isLive ? ", more as they come" : "";
    const missed = this.#skipped === 0 ? "" : `; ${countText(this.#skipped)} came too fast to be shown`;
    byId("events-text").textContent = `${countText(shown)} shown${streamed}${missed}`;
    byId("no-events").hidden = shown > 0 || isSinkEmpty;
    byId("first-event").hidden = shown > 0 || !isSinkEmpty;
    byId("more").hidden = this.#next === undefined || isLive;
  }
}

function pageQuestion(view: View): URLSearchParams {
  const query = questionOf(view);
  query.set("limit", pageSize);
  return query;
}
