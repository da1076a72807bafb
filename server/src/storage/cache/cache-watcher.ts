import type { Store } from "../store.js";
import { CacheEvent } from "./cache-event.js";
import type { EventRing } from "./event-ring.js";

export interface CacheWatcherOptions {
  readonly store: Store;
  readonly prefix: string;
  readonly afterRevision: number;
  readonly onEvents: () => void;
  readonly ring: () => EventRing;
  /** Newest revision that the cache has seen. */
  readonly seen: () => number;
  readonly onClose: () => void;
}

const nothing: readonly CacheEvent[] = Object.freeze([]);

/**
 * One reader of a resource's changes. It takes events when it likes and owns only a position in the ring, so a slow one
 * costs nobody else anything. What the ring no longer holds it reads from the store's log, one batch at a time; what the
 * store has forgotten ends it with RevisionCompactedError.
 */
export class CacheWatcher {
  readonly #options: CacheWatcherOptions;
  /** Position in the ring; undefined while reading from the store's log. */
  #position: number | undefined;
  /** Revision of the newest event taken, or where the watch began. */
  #taken: number;
  /** Events from the log that have not been taken yet. */
  #replayed: CacheEvent[] = [];
  #resumeReplay: (() => void) | undefined;
  #replay: AbortController | undefined;
  #error: unknown;

  constructor(options: CacheWatcherOptions) {
    this.#options = options;
    this.#taken = options.afterRevision;
    this.#position = options.ring().positionAfter(options.afterRevision);
    if (this.#position === undefined) {
      this.#startReplay();
    }
  }

  /** Every change up to this revision has been taken. */
  get revision(): number {
    const upToDate = this.#position !== undefined && this.#position >= this.#options.ring().end;
    return upToDate ? Math.max(this.#taken, this.#options.seen()) : this.#taken;
  }

  /** The next events, at most `max`; none when there are no more for now. Throws what ended the watch. */
  next(max: number): readonly CacheEvent[] {
    if (this.#error !== undefined) {
      throw this.#error;
    }
    return this.#position === undefined ? this.#nextReplayed() : this.#nextOfRing(this.#position, max);
  }

  /** The cache has new events. */
  notify(): void {
    if (this.#position !== undefined) {
      this.#options.onEvents();
    }
  }

  close(): void {
    this.#replay?.abort();
    this.#resumeReplay?.();
    this.#options.onClose();
  }

  #nextOfRing(position: number, max: number): readonly CacheEvent[] {
    const events = this.#options.ring().from(position, max);
    if (events === undefined) {
      this.#position = undefined;
      this.#startReplay();
      return nothing;
    }
    if (events.length === 0) {
      return nothing;
    }
    this.#position = position + events.length;
    // A watch may begin at a version that has not come yet.
    const wanted = (events[0] as CacheEvent).revision > this.#taken ? events : this.#after(events);
    this.#taken = Math.max(this.#taken, (events.at(-1) as CacheEvent).revision);
    return wanted.length === 0 ? this.#nextOfRing(this.#position, max) : wanted;
  }

  #after(events: readonly CacheEvent[]): readonly CacheEvent[] {
    return events.filter((event) => event.revision > this.#taken);
  }

  #nextReplayed(): readonly CacheEvent[] {
    const events = this.#replayed;
    if (events.length === 0) {
      return nothing;
    }
    this.#replayed = [];
    this.#taken = (events.at(-1) as CacheEvent).revision;
    this.#resumeReplay?.();
    return events;
  }

  #startReplay(): void {
    const controller = new AbortController();
    this.#replay = controller;
    this.#readLog(controller.signal).catch((error: unknown) => {
      if (!controller.signal.aborted) {
        this.#error = error;
        this.#options.onEvents();
      }
    });
  }

  /** Reads the log until the ring holds everything that comes after. */
  async #readLog(signal: AbortSignal): Promise<void> {
    const { store, prefix, ring } = this.#options;
    for await (const batch of store.watch({ prefix, afterRevision: this.#taken, signal })) {
      this.#replayed = batch.events.map((event) => CacheEvent.fromStore(event, undefined));
      if (this.#replayed.length > 0) {
        const taken = new Promise<void>((resolve) => {
          this.#resumeReplay = resolve;
        });
        this.#options.onEvents();
        await taken;
      }
      const position = ring().positionAfter(batch.revision);
      if (position !== undefined) {
        this.#taken = Math.max(this.#taken, batch.revision);
        this.#position = position;
        this.#replay?.abort();
        this.#options.onEvents();
        return;
      }
    }
  }
}
