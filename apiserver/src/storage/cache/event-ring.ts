import type { CacheEvent } from "./cache-event.js";

/** Limits of the events kept in memory for watchers: their number, and the bytes of the objects in them. */
export interface RingLimits {
  readonly maxEvents: number;
  readonly maxBytes: number;
}

const firstCapacity = 16;

/**
 * Number of later events after which the encodings of an event are dropped: watchers that keep up have taken it by
 * then.
 */
const eventsWithFrames = 512;

/**
 * Longest run of events that is kept for sharing. Each latecomer takes a longer run alone; to keep those would keep
 * events that the ring has dropped.
 */
const maxShared = 16;

const nothing: readonly CacheEvent[] = Object.freeze([]);
const noneLatest = { position: -1, events: nothing };

/** Returns the bytes of the states before and after: neither may live anywhere else any more. */
function bytesOf({ entry, previous }: CacheEvent): number {
  return entry.length + (previous?.length ?? 0);
}

/**
 * The recent events of a resource, in revision order. Every event has a position that it keeps; watchers own nothing but
 * the position they have come to.
 */
export class EventRing {
  readonly #limits: RingLimits;
  /** The event at position p is in slot p modulo the number of slots, which grows with use. */
  #slots: (CacheEvent | undefined)[] = new Array(firstCapacity).fill(undefined);
  /** Position of the oldest event. */
  #first = 0;
  #end = 0;
  #bytes = 0;
  /** The revision after which every change is in the ring. */
  #completeAfter: number;
  /** The latest run that was taken. */
  #latest: { readonly position: number; readonly events: readonly CacheEvent[] } = noneLatest;

  constructor(limits: RingLimits, afterRevision: number) {
    this.#limits = limits;
    this.#completeAfter = afterRevision;
  }

  /** Position of the next event to come. */
  get end(): number {
    return this.#end;
  }

  push(event: CacheEvent): void {
    this.#makeRoom();
    this.#slots[this.#end % this.#slots.length] = event;
    this.#end++;
    this.#bytes += bytesOf(event);
    while (this.#bytes > this.#limits.maxBytes && this.#end - this.#first > 1) {
      this.#dropFirst();
    }
    if (this.#end - this.#first > eventsWithFrames) {
      this.#at(this.#end - 1 - eventsWithFrames).forgetFrames();
    }
  }

  /** The number of events that there is room for before the ring grows. */
  get capacity(): number {
    return this.#slots.length;
  }

  /**
   * Forbids watches to start before `revision`, since some changes up to it have not been pushed. Watchers beyond it go
   * on.
   */
  startAt(revision: number): void {
    this.#completeAfter = Math.max(this.#completeAfter, revision);
  }

  /**
   * Returns up to `max` events from a position on, and further ones of the same revision as the last; undefined when the
   * ring has moved past it. A reader knows its place by revision, so that it takes all changes of one at once.
   */
  from(position: number, max: number): readonly CacheEvent[] | undefined {
    if (position < this.#first) {
      return undefined;
    }
    if (position >= this.#end) {
      return nothing;
    }
    let end = Math.min(this.#end, position + max);
    while (end < this.#end && this.#at(end).revision === this.#at(end - 1).revision) {
      end++;
    }
    // Watchers that keep up ask for the same in the same moment.
    const { events: latest } = this.#latest;
    if (this.#latest.position === position && latest.length === end - position) {
      return latest;
    }
    const events: CacheEvent[] = [];
    for (let p = position; p < end; p++) {
      events.push(this.#at(p));
    }
    this.#latest = events.length <= maxShared ? { position, events } : noneLatest;
    return events;
  }

  /** Returns the number of events with a revision greater than `revision`; 0 when some are not in the ring. */
  countAfter(revision: number): number {
    const position = this.positionAfter(revision);
    return position === undefined ? 0 : this.#end - position;
  }

  /**
   * Returns the position of the first event with a revision greater than `revision`; undefined when some are not in the
   * ring.
   */
  positionAfter(revision: number): number | undefined {
    if (revision < this.#completeAfter) {
      return undefined;
    }
    let low = this.#first;
    let high = this.#end;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.#at(middle).revision <= revision) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * Returns the events with a revision greater than `revision`, newest first; undefined when some are not in the ring.
   */
  newestFirst(revision: number): CacheEvent[] | undefined {
    const position = this.positionAfter(revision);
    return position === undefined ? undefined : this.from(position, Number.POSITIVE_INFINITY)?.toReversed();
  }

  #at(position: number): CacheEvent {
    return this.#slots[position % this.#slots.length] as CacheEvent;
  }

  #makeRoom(): void {
    const capacity = this.#slots.length;
    if (this.#end - this.#first < Math.min(capacity, this.#limits.maxEvents)) {
      return;
    }
    if (capacity >= this.#limits.maxEvents) {
      this.#dropFirst();
      return;
    }
    const slots: (CacheEvent | undefined)[] = new Array(Math.min(capacity * 4, this.#limits.maxEvents)).fill(undefined);
    for (let p = this.#first; p < this.#end; p++) {
      slots[p % slots.length] = this.#at(p);
    }
    this.#slots = slots;
  }

  #dropFirst(): void {
    const first = this.#at(this.#first);
    this.#bytes -= bytesOf(first);
    this.#completeAfter = Math.max(this.#completeAfter, first.revision);
    this.#slots[this.#first % this.#slots.length] = undefined;
    this.#first++;
  }
}
