import { TimeSlice } from "@gatehouse/envelopes/scheduling";
import type { CacheEntry } from "./cache-entry.js";
import type { CacheEvent } from "./cache-event.js";
import type { CacheWatcher } from "./cache-watcher.js";

/**
 * Largest number of patient watchers of an event that are notified at once, like the others: that takes no longer than
 * an answer, and a controller whose watch is behind its own writes meets conflicts (decision 0037).
 */
const mostToldAtOnce = 16;
/** Number of watchers that are notified between two looks at the clock. */
const toldBetweenLooks = 16;

interface ValueIndex {
  readonly textOf: (entry: CacheEntry) => string;
  readonly byValue: Map<string, Set<CacheWatcher>>;
}

/**
 * The watchers of a cache, found by their interest: of a thousand kubelets that each watch the pods of one node, an
 * event concerns one or two.
 */
export class WatcherIndex {
  /** Watchers that want everything, or what no index can tell, and that are notified at once. */
  readonly #unindexed = new Set<CacheWatcher>();
  readonly #patient = new Set<CacheWatcher>();
  readonly #indexes = new Map<string, ValueIndex>();
  /** Watchers with an interest that the events since the last `notify` concern. */
  readonly #concerned = new Set<CacheWatcher>();
  /** Patient watchers of the round under way that are not notified yet. */
  #round: Iterator<CacheWatcher> | undefined;
  /** True if there are events since the round under way began. */
  #hasNews = false;
  #turn: NodeJS.Immediate | undefined;

  add(watcher: CacheWatcher): void {
    const { interest } = watcher;
    if (interest === undefined) {
      (watcher.isPatient ? this.#patient : this.#unindexed).add(watcher);
      return;
    }
    let index = this.#indexes.get(interest.index);
    if (index === undefined) {
      index = { textOf: (entry) => interest.textOf(entry), byValue: new Map() };
      this.#indexes.set(interest.index, index);
    }
    const watchers = index.byValue.get(interest.value);
    if (watchers === undefined) {
      index.byValue.set(interest.value, new Set([watcher]));
    } else {
      watchers.add(watcher);
    }
  }

  remove(watcher: CacheWatcher): void {
    this.#unindexed.delete(watcher);
    this.#patient.delete(watcher);
    this.#concerned.delete(watcher);
    const { interest } = watcher;
    const index = interest === undefined ? undefined : this.#indexes.get(interest.index);
    if (interest === undefined || index === undefined) {
      return;
    }
    const watchers = index.byValue.get(interest.value);
    watchers?.delete(watcher);
    if (watchers?.size === 0) {
      index.byValue.delete(interest.value);
      if (index.byValue.size === 0) {
        this.#indexes.delete(interest.index);
      }
    }
  }

  /** Records an event at a position of the ring. */
  record(event: CacheEvent, position: number): void {
    for (const index of this.#indexes.values()) {
      for (const watchers of concerned(index, event)) {
        for (const watcher of watchers) {
          watcher.concernedBy(event, position);
          this.#concerned.add(watcher);
        }
      }
    }
  }

  /**
   * Notifies all watchers that the recorded events concern. Patient watchers are notified in turns of their own where there
   * are many, so that others are not held up by a hundred thousand of them.
   */
  notify(): void {
    for (const watcher of this.#unindexed) {
      watcher.notify();
    }
    for (const watcher of this.#concerned) {
      if (!watcher.isPatient) {
        this.#concerned.delete(watcher);
        watcher.notify();
      }
    }
    this.#hasNews = true;
    if (this.#turn !== undefined) {
      return;
    }
    if (this.#patient.size + this.#concerned.size <= mostToldAtOnce) {
      this.#notifyPatient();
    } else {
      this.#turn = setImmediate(() => this.#notifyPatient());
    }
  }

  /** Goes on with the round under way, and with the next one if there are events since, for a slice of time. */
  #notifyPatient(): void {
    this.#turn = undefined;
    const slice = new TimeSlice();
    while (this.#round !== undefined || this.#hasNews) {
      this.#round ??= this.#nextRound();
      for (let told = 0; told < toldBetweenLooks; told++) {
        const { done, value } = this.#round.next();
        if (done === true) {
          this.#round = undefined;
          break;
        }
        value.notify();
      }
      if (slice.isOver) {
        this.#turn = setImmediate(() => this.#notifyPatient());
        return;
      }
    }
  }

  *#nextRound(): Generator<CacheWatcher> {
    this.#hasNews = false;
    const concerned = [...this.#concerned];
    this.#concerned.clear();
    yield* this.#patient;
    yield* concerned;
  }

  all(): readonly CacheWatcher[] {
    const indexed = [...this.#indexes.values()].flatMap(({ byValue }) => [...byValue.values()]);
    return [...this.#unindexed, ...this.#patient, ...indexed.flatMap((watchers) => [...watchers])];
  }
}

/** Returns the watchers that an event concerns: its object may come into a selection and leave another. */
function concerned({ textOf, byValue }: ValueIndex, { entry, previous }: CacheEvent): readonly Set<CacheWatcher>[] {
  try {
    const value = textOf(entry);
    const now = byValue.get(value);
    const valueBefore = previous === undefined ? value : textOf(previous);
    const before = valueBefore === value ? undefined : byValue.get(valueBefore);
    return now === undefined ? (before === undefined ? none : [before]) : before === undefined ? [now] : [now, before];
  } catch {
    // An unreadable entry goes to every watcher, which meets the error itself: it must not hold up the feed.
    return [...byValue.values()];
  }
}

const none: readonly Set<CacheWatcher>[] = Object.freeze([]);
