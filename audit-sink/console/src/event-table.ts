import { element } from "./dom.js";
import { dateAndTime, dayText, outcomeOf, timeOf, timeOfDay } from "./format.js";
import { objectOf, resourceOf, textOf } from "./target.js";
import type { Item } from "./types.js";

/** Rows that stay while events stream in. */
const maxLiveRows = 300;

/** The table of events. One row is in the order of the Tab key; arrow keys go from row to row, Enter opens. */
export class EventTable {
  readonly #body: HTMLElement;
  readonly #onOpen: (place: number) => void;
  #items: Item[] = [];
  #current = 0;

  constructor(body: HTMLElement, onOpen: (place: number) => void) {
    this.#body = body;
    this.#onOpen = onOpen;
    body.addEventListener("click", (event) => {
      const place = this.#placeOf(event.target);
      if (place !== undefined) {
        this.focus(place);
        onOpen(place);
      }
    });
    body.addEventListener("keydown", (event) => this.#onKey(event));
  }

  get items(): readonly Item[] {
    return this.#items;
  }

  replace(items: readonly Item[]): void {
    this.#items = [...items];
    this.#current = 0;
    this.#body.replaceChildren(...items.map((item) => rowOf(item)));
    this.#markCurrent();
  }

  /** Adds earlier events below. */
  append(items: readonly Item[]): void {
    this.#items.push(...items);
    this.#body.append(...items.map((item) => rowOf(item)));
    this.#markCurrent();
  }

  /** Adds events that have just come above, the newest first, and drops rows that are too many. */
  prepend(items: readonly Item[]): void {
    const newest = items.slice(-maxLiveRows).reverse();
    this.#items = [...newest, ...this.#items].slice(0, maxLiveRows);
    this.#body.prepend(...newest.map((item) => rowOf(item, "fresh")));
    while (this.#body.children.length > this.#items.length) {
      this.#body.lastElementChild?.remove();
    }
    // Whoever reads a row keeps it.
    const focused = this.#placeOf(document.activeElement);
    this.#current = focused ?? 0;
    this.#markCurrent();
  }

  /** Goes to a row. */
  focus(place: number): void {
    this.#current = Math.min(Math.max(0, place), this.#items.length - 1);
    this.#markCurrent();
    const row = this.#body.children[this.#current];
    if (row instanceof HTMLElement) {
      row.focus();
    }
  }

  #markCurrent(): void {
    for (const [place, row] of [...this.#body.children].entries()) {
      row.setAttribute("tabindex", place === this.#current ? "0" : "-1");
    }
  }

  #placeOf(target: EventTarget | null): number | undefined {
    const row = target instanceof Element ? target.closest("tr") : null;
    const place = row === null ? -1 : [...this.#body.children].indexOf(row);
    return place < 0 ? undefined : place;
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
    if (to !== undefined) {
      event.preventDefault();
      this.focus(to);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#onOpen(this.#current);
    }
  }
}

function rowOf({ event, sender }: Item, state = ""): HTMLElement {
  const time = timeOf(event);
  const isToday = time !== undefined && dayText(time) === dayText(new Date());
  const user = textOf(event.user?.username);
  const actsAs = textOf(event.impersonatedUser?.username);
  const code = textOf(event.responseStatus?.code);
  const badge = element("span", { class: `badge outcome-${outcomeOf(event)}` }, code === "" ? "–" : code);
  const shownTime = time === undefined ? "" : isToday ? timeOfDay(time, true) : `${dayText(time)} ${timeOfDay(time)}`;
  const cells = [
    element("td", { class: "time", title: time === undefined ? undefined : dateAndTime(time) }, shownTime),
    element("td", { class: "long", title: user }, actsAs === "" ? user : `${user} as ${actsAs}`),
    element("td", {}, textOf(event.verb)),
    element("td", { class: "long", title: resourceOf(event) }, resourceOf(event)),
    element("td", { class: "long", title: objectOf(event) }, objectOf(event)),
    element("td", {}, badge),
    element("td", { class: "minor" }, sender),
  ];
  return element("tr", { class: state, tabindex: "-1" }, ...cells);
}
