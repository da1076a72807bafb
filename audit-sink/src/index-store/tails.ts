import { type CompiledFilter, compileFilter, type EventFilter, matchesFacts } from "./event-filter.js";
import type { IndexedEvent } from "./index-store.js";

/** Events and bytes that one who follows is told at a time; the rest is skipped, and counted. */
const maxTold = 500;
const maxToldBytes = 1024 * 1024;

/** The new events for one follower. */
export interface TailPortion {
  readonly id: number;
  readonly events: readonly { readonly position: number; readonly sender: string; readonly json: Uint8Array }[];
  readonly skipped: number;
}

/** Followers of events, and the events that each is to be sent next. */
export class Tails {
  readonly #tails = new Map<number, Tail>();

  add(id: number, filter: EventFilter): void {
    this.#tails.set(id, new Tail(compileFilter(filter)));
  }

  remove(id: number): void {
    this.#tails.delete(id);
  }

  /** Notes a new event for those who have asked for it. */
  note(event: IndexedEvent): void {
    for (const tail of this.#tails.values()) {
      tail.note(event);
    }
  }

  /** Returns the portions that are to be sent now. */
  *take(): Iterable<TailPortion> {
    for (const [id, tail] of this.#tails) {
      const portion = tail.take();
      if (portion.events.length > 0 || portion.skipped > 0) {
        yield { id, ...portion };
      }
    }
  }
}

class Tail {
  readonly #filter: CompiledFilter;
  #events: TailPortion["events"][number][] = [];
  #bytes = 0;
  #skipped = 0;

  constructor(filter: CompiledFilter) {
    this.#filter = filter;
  }

  note({ position, json, facts }: IndexedEvent): void {
    if (!matchesFacts(this.#filter, facts)) {
      return;
    }
    if (this.#events.length >= maxTold || this.#bytes >= maxToldBytes) {
      this.#skipped++;
      return;
    }
    this.#events.push({ position, sender: facts.values.sender, json: Uint8Array.from(json) });
    this.#bytes += json.length;
  }

  take(): Omit<TailPortion, "id"> {
    const portion = { events: this.#events, skipped: this.#skipped };
    this.#events = [];
    this.#bytes = 0;
    this.#skipped = 0;
    return portion;
  }
}
