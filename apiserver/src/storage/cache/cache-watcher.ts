import { RevisionCompactedError } from "../../errors/errors.js";
import type { Store } from "../store.js";
import { CacheEvent } from "./cache-event.js";
import type { EventRing } from "./event-ring.js";
import type { WatchInterest } from "./watch-interest.js";

/** The changes that a watcher follows, and its callbacks. */
export interface CacheWatcherOptions {
  readonly store: Store;
  readonly prefix: string;
  readonly afterRevision: number;
  readonly onEvents: () => void;
  readonly ring: EventRing;
  /** Newest revision that the cache has seen. */
  readonly seen: () => number;
  readonly onClose: () => void;
  /** Called when the watch ends because the store has forgotten what its client was too slow to take. */
  readonly onTooSlow?: () => void;
  /**
   * The largest set of entries that the watcher wants; events known to be outside of it are left out. Every entry when
   * absent.
   */
  readonly interest?: WatchInterest | undefined;
  /**
   * Set for a watcher that is notified of events in a later turn, after the writers of these events have their answers.
   */
  readonly isPatient?: boolean | undefined;
}

/** Bytes of events read from the log that wait for a watcher to take them. Thousands of watchers may be late. */
const maxReplayBytes = 256 * 1024;

const nothing: readonly CacheEvent[] = Object.freeze([]);

/**
 * One reader of a resource's changes. It takes events when it likes and owns only a position in the ring, so a slow one
 * costs other watchers nothing. Events that the ring no longer holds are read from the store's log, one batch at a
 * time; a position that the store has forgotten ends the watcher with RevisionCompactedError.
 */
export class CacheWatcher {
  readonly #options: CacheWatcherOptions;
  /** Position in the ring; undefined while reading from the store's log. */
  #position: number | undefined;
  /** The revision up to which every change has been taken. */
  #taken: number;
  /** Events from the log, and how many of them have been taken. */
  #replayed: readonly CacheEvent[] = nothing;
  #replayTaken = 0;
  #resumeReplay: (() => void) | undefined;
  #replay: AbortController | undefined;
  #error: unknown;
  /** True once the ring has moved past what the watcher had not taken. */
  #hasFallenBehind = false;
  /**
   * True if no event from its position to the end of the ring is of interest, so that the position has not been kept
   * up.
   */
  #isIdle = false;

  constructor(options: CacheWatcherOptions) {
    this.#options = options;
    this.#taken = options.afterRevision;
    this.#position = options.ring.positionAfter(options.afterRevision);
    if (this.#position === undefined) {
      this.#startReplay();
    }
  }

  get interest(): WatchInterest | undefined {
    return this.#options.interest;
  }

  get isPatient(): boolean {
    return this.#options.isPatient === true;
  }

  /** The revision up to which every change has been taken. */
  get revision(): number {
    const upToDate = this.#isIdle || (this.#position !== undefined && this.#position >= this.#options.ring.end);
    return upToDate ? Math.max(this.#taken, this.#options.seen()) : this.#taken;
  }

  /**
   * Returns the next events, at most `max` and the rest of their last revision; none when there are no more for now. Throws the error that ended the watch.
   */
  next(max: number): readonly CacheEvent[] {
    if (this.#error !== undefined) {
      throw this.#error;
    }
    if (this.#isIdle) {
      return nothing;
    }
    return this.#position === undefined ? this.#nextReplayed(max) : this.#nextOfRing(this.#position, max);
  }

  /** Notes an event at `position` that may be of interest: those since the last one were not. */
  concernedBy(event: CacheEvent, position: number): void {
    if (this.#isIdle) {
      this.#isIdle = false;
      this.#position = position;
      this.#taken = Math.max(this.#taken, event.revision - 1);
    }
  }

  /** Notifies the watcher that the cache has new events. */
  notify(): void {
    if (this.#position !== undefined) {
      this.#options.onEvents();
    }
  }

  /** Ends the watch: the next call of `next` throws the error. */
  fail(error: unknown): void {
    this.#error = error;
    this.#replay?.abort();
    this.#resumeReplay?.();
    this.#options.onEvents();
  }

  close(): void {
    this.#replay?.abort();
    this.#resumeReplay?.();
    this.#options.onClose();
  }

  #nextOfRing(position: number, max: number): readonly CacheEvent[] {
    for (let from = position; ; ) {
      const events = this.#options.ring.from(from, max);
      if (events === undefined) {
        this.#position = undefined;
        this.#hasFallenBehind = true;
        this.#startReplay();
        return nothing;
      }
      const last = events.at(-1);
      if (last === undefined) {
        this.#isIdle = this.#options.interest !== undefined;
        return nothing;
      }
      from += events.length;
      this.#position = from;
      const taken = this.#taken;
      this.#taken = Math.max(taken, last.revision);
      // The ring may lag behind the log that this watcher has come from, and a watch may begin in the future.
      const wanted = (events[0] as CacheEvent).revision > taken ? events : events.filter((e) => e.revision > taken);
      if (wanted.length > 0) {
        return wanted;
      }
    }
  }

  #nextReplayed(max: number): readonly CacheEvent[] {
    const events = this.#replayed.slice(this.#replayTaken, this.#replayTaken + max);
    const last = events.at(-1);
    if (last === undefined) {
      return nothing;
    }
    this.#taken = last.revision;
    this.#replayTaken += events.length;
    if (this.#replayTaken === this.#replayed.length) {
      this.#resumeReplay?.();
    }
    return events;
  }

  #startReplay(): void {
    const controller = new AbortController();
    this.#replay = controller;
    this.#readLog(controller.signal).catch((error: unknown) => {
      if (!controller.signal.aborted) {
        if (this.#hasFallenBehind && error instanceof RevisionCompactedError) {
          this.#options.onTooSlow?.();
        }
        this.#error = error;
        this.#options.onEvents();
      }
    });
  }

  /** Reads the log until the ring holds everything that comes after. */
  async #readLog(signal: AbortSignal): Promise<void> {
    const { store, prefix, ring } = this.#options;
    for await (const batch of store.watch({
      prefix,
      afterRevision: this.#taken,
      signal,
      maxBatchBytes: maxReplayBytes,
    })) {
      await this.#offer(batch.events.map((event) => CacheEvent.fromStore(event, undefined)));
      this.#taken = Math.max(this.#taken, batch.revision);
      const position = ring.positionAfter(batch.revision);
      if (position !== undefined && !signal.aborted) {
        this.#position = position;
        this.#options.onEvents();
        return;
      }
    }
  }

  /** Resolves when the events have been taken. */
  async #offer(events: readonly CacheEvent[]): Promise<void> {
    if (events.length === 0) {
      return;
    }
    const taken = new Promise<void>((resolve) => {
      this.#resumeReplay = resolve;
    });
    this.#replayed = events;
    this.#replayTaken = 0;
    this.#options.onEvents();
    await taken;
    this.#replayed = nothing;
    this.#replayTaken = 0;
  }
}
