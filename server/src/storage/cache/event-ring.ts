import type { CacheEvent } from "./cache-event.js";

/** How many events, and how many bytes of objects in them, are kept in memory for watchers. */
export interface RingLimits {
  readonly maxEvents: number;
  readonly maxBytes: number;
}

/**
 * The recent events of a resource, in revision order. Every event has a position that it keeps; watchers own nothing but
 * the position they have come to.
 */
export class EventRing {
  readonly #limits: RingLimits;
  #events: CacheEvent[] = [];
  /** Events before this index have been dropped. */
  #head = 0;
  /** Position of `#events[0]`. */
  #base = 0;
  #bytes = 0;
  /** Everything after this revision is in the ring. */
  #afterRevision: number;

  constructor(limits: RingLimits, afterRevision: number) {
    this.#limits = limits;
    this.#afterRevision = afterRevision;
  }

  /** The ring holds every event with a greater revision. */
  get afterRevision(): number {
    return this.#afterRevision;
  }

  /** Position of the next event to come. */
  get end(): number {
    return this.#base + this.#events.length;
  }

  push(event: CacheEvent): void {
    this.#events.push(event);
    this.#bytes += event.entry.bytes.length;
    while (
      this.#events.length - this.#head > this.#limits.maxEvents ||
      (this.#bytes > this.#limits.maxBytes && this.#events.length - this.#head > 1)
    ) {
      this.#dropFirst();
    }
    if (this.#head > this.#limits.maxEvents) {
      this.#events = this.#events.slice(this.#head);
      this.#base += this.#head;
      this.#head = 0;
    }
  }

  /** Up to `max` events from a position on; undefined when the ring has moved past it. */
  from(position: number, max: number): readonly CacheEvent[] | undefined {
    const index = position - this.#base;
    return index < this.#head ? undefined : this.#events.slice(index, index + max);
  }

  /** Position of the first event with a revision greater than `revision`; undefined when it may have been dropped. */
  positionAfter(revision: number): number | undefined {
    if (revision < this.#afterRevision) {
      return undefined;
    }
    let low = this.#head;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#events[middle] as CacheEvent).revision <= revision) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return this.#base + low;
  }

  /** Events with a revision greater than `revision`, newest first; undefined when some have been dropped. */
  newestFirst(revision: number): CacheEvent[] | undefined {
    const position = this.positionAfter(revision);
    return position === undefined ? undefined : this.#events.slice(position - this.#base).reverse();
  }

  #dropFirst(): void {
    const first = this.#events[this.#head] as CacheEvent;
    this.#bytes -= first.entry.bytes.length;
    this.#afterRevision = first.revision;
    // The slot would keep the objects alive until the array is cut.
    delete this.#events[this.#head];
    this.#head++;
  }
}
