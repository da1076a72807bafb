import type { Filter } from "../address/view.js";
import type { Item } from "../sink/types.js";
import type { TimeFormat } from "../time/time-format.js";
import { eventRow } from "./event-row.js";

/** Rows that stay while events stream in. */
const maxLiveRows = 300;

/** The parts of the page that the grid calls back. */
export interface GridListener {
  onOpen(item: Item): void;
  onFilter(filter: Filter): void;
}

/**
 * The grid of events. One row is in the order of the Tab key. Up and Down (or k and j), Home and End go from row to row,
 * Left and Right to the links of a row, Enter opens an event or follows a link.
 */
export class EventGrid {
  readonly #body: HTMLElement;
  readonly #listener: GridListener;
  #items: Item[] = [];
  #times: TimeFormat;
  #current = 0;
  #selected: number | undefined;

  constructor(body: HTMLElement, times: TimeFormat, listener: GridListener) {
    this.#body = body;
    this.#times = times;
    this.#listener = listener;
    body.addEventListener("click", (event) => this.#onClick(event.target));
    body.addEventListener("keydown", (event) => this.#onKey(event));
  }

  get items(): readonly Item[] {
    return this.#items;
  }

  replace(items: readonly Item[]): void {
    this.#items = [...items];
    this.#current = 0;
    this.#body.replaceChildren(...items.map((item) => eventRow(item, this.#times)));
    this.#markRows();
  }

  /** Writes the times of all rows anew. */
  setTimes(times: TimeFormat): void {
    this.#times = times;
    this.#body.replaceChildren(...this.#items.map((item) => eventRow(item, times)));
    this.#markRows();
  }

  /** Adds earlier events below. */
  append(items: readonly Item[]): void {
    this.#items.push(...items);
    this.#body.append(...items.map((item) => eventRow(item, this.#times)));
    this.#markRows();
  }

  /** Adds events that have just come above, the newest first, and drops rows that are too many. */
  prepend(items: readonly Item[]): void {
    const newest = items.slice(-maxLiveRows).reverse();
    this.#items = [...newest, ...this.#items].slice(0, maxLiveRows);
    this.#body.prepend(...newest.map((item) => eventRow(item, this.#times, "fresh")));
    while (this.#body.children.length > this.#items.length) {
      this.#body.lastElementChild?.remove();
    }
    // A row that has the focus keeps it.
    this.#current = this.#placeOf(document.activeElement) ?? 0;
    this.#markRows();
  }

  /** Returns the event with this position, if it is in the grid. */
  itemAt(position: number | undefined): Item | undefined {
    return this.#items.find((item) => item.position === position);
  }

  /** Returns the event above (-1) or below (1) another one. */
  neighbourOf(position: number | undefined, by: 1 | -1): Item | undefined {
    const place = this.#items.findIndex((item) => item.position === position);
    return place < 0 ? undefined : this.#items[place + by];
  }

  /** Marks the event that is shown in full; undefined marks none. */
  select(position: number | undefined): void {
    this.#selected = position;
    const place = this.#items.findIndex((item) => item.position === position);
    if (place >= 0) {
      this.#current = place;
    }
    this.#markRows();
  }

  /** Moves the focus to the current row. */
  focus(): void {
    const row = this.#body.children[this.#current];
    if (row instanceof HTMLElement) {
      row.focus();
      row.scrollIntoView({ block: "nearest" });
    }
  }

  #markRows(): void {
    for (const [place, row] of [...this.#body.children].entries()) {
      row.setAttribute("tabindex", place === this.#current ? "0" : "-1");
      row.setAttribute("aria-selected", String(this.#items[place]?.position === this.#selected));
    }
  }

  #placeOf(target: EventTarget | null): number | undefined {
    const row = target instanceof Element ? target.closest("tr") : null;
    const place = row === null ? -1 : [...this.#body.children].indexOf(row);
    return place < 0 ? undefined : place;
  }

  #onClick(target: EventTarget | null): void {
    const link = target instanceof Element ? target.closest<HTMLElement>("[data-field]") : null;
    if (link !== null) {
      this.#listener.onFilter({ field: link.dataset["field"] ?? "", value: link.dataset["value"] ?? "" });
      return;
    }
    this.#open(this.#placeOf(target));
  }

  #open(place: number | undefined): void {
    const item = this.#items[place ?? -1];
    if (item !== undefined) {
      this.#moveTo(place ?? 0);
      this.#listener.onOpen(item);
    }
  }

  #moveTo(place: number): void {
    this.#current = Math.min(Math.max(0, place), this.#items.length - 1);
    this.#markRows();
    this.focus();
  }

  #onKey(event: KeyboardEvent): void {
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: this.#current + 1,
      j: this.#current + 1,
      ArrowUp: this.#current - 1,
      k: this.#current - 1,
      Home: 0,
      End: this.#items.length - 1,
    };
    const to = Object.hasOwn(moves, event.key) ? moves[event.key] : undefined;
    const isOnRow = event.target instanceof HTMLTableRowElement;
    if (to !== undefined) {
      event.preventDefault();
      this.#moveTo(to);
    } else if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      event.preventDefault();
      this.#moveWithinRow(event.key === "ArrowRight" ? 1 : -1);
    } else if (isOnRow && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      this.#open(this.#current);
    }
  }

  /** Goes along the row itself and its links. */
  #moveWithinRow(by: 1 | -1): void {
    const row = this.#body.children[this.#current];
    const stops = [row, ...(row?.querySelectorAll("[data-field]") ?? [])];
    const at = stops.indexOf(document.activeElement ?? undefined);
    const to = stops[Math.min(Math.max(0, at + by), stops.length - 1)];
    if (to instanceof HTMLElement) {
      to.focus();
    }
  }
}
