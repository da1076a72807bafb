import { type SequenceGap, SequenceTracker } from "./sequence-tracker.js";

/** A gap, and the source of it. */
export interface NamedGap extends SequenceGap {
  readonly source: string;
}

/** Number of sources of one sender that `forget` leaves. */
export const maxSources = 1000;
/** Number of gaps of all sources of one sender that `forget` leaves. */
export const maxGaps = 10_000;

/** The sources of one sender. Only `forget` forgets any, and only what has been reported. */
export class SenderSources {
  /** Number of missing events of sources that have been forgotten. */
  forgottenMissing = 0;
  /** Number of events that came without sequence numbers. */
  unnumbered = 0;
  /** Trackers by source, in the order of the last batch of each. */
  readonly #trackers = new Map<string, SequenceTracker>();
  /** Sources with a batch since the last `forget`. */
  #recent = new Set<string>();
  #gaps = 0;

  get trackers(): ReadonlyMap<string, SequenceTracker> {
    return this.#trackers;
  }

  /** Number of missing events, reported or not. */
  get missing(): number {
    return [...this.#trackers.values()].reduce((sum, { missing }) => sum + missing, this.forgottenMissing);
  }

  /** Tells whether another batch of a source can be followed before the next `forget`: up to twice of what that leaves. */
  hasRoom(source: string): boolean {
    return this.#gaps < 2 * maxGaps && (this.#trackers.has(source) || this.#trackers.size < 2 * maxSources);
  }

  restore(source: string, tracker: SequenceTracker): void {
    this.#trackers.set(source, tracker);
    this.#gaps += tracker.gaps.length;
  }

  /** Notes that numbers of a source have come. Returns those of them that had been reported as missing. */
  received(source: string, first: number, count: number, now: number): readonly NamedGap[] {
    const tracker = this.#trackers.get(source) ?? new SequenceTracker(first);
    this.#trackers.delete(source);
    this.#trackers.set(source, tracker);
    this.#recent.add(source);
    this.#gaps -= tracker.gaps.length;
    const filled = tracker.received(first, count, now);
    this.#gaps += tracker.gaps.length;
    return filled.map((gap) => ({ ...gap, source }));
  }

  /** Returns the gaps that are due, and all of sources that `forget` would forget; they count as reported from now on. */
  report(ageMs: number, now: number): readonly NamedGap[] {
    const excess = new Set(this.#excess());
    return [...this.#trackers].flatMap(([source, tracker]) =>
      tracker.report(excess.has(source) ? 0 : ageMs, now).map((gap) => ({ ...gap, source })),
    );
  }

  /**
   * Forgets the sources and gaps that are too many. Keeps what has not been reported, and sources with a batch since the last
   * call: a batch that is read again after a crash must find its source. Returns the number of forgotten sources.
   */
  forget(): number {
    const recent = this.#recent;
    this.#recent = new Set();
    for (const [source, tracker] of this.#trackers) {
      this.#gaps -= recent.has(source) ? 0 : tracker.forget();
    }
    const forgotten = this.#excess().filter(
      (source) => !recent.has(source) && this.#trackers.get(source)?.hasUnreported === false,
    );
    for (const source of forgotten) {
      const { missing, gaps } = this.#trackers.get(source) as SequenceTracker;
      this.forgottenMissing += missing;
      this.#gaps -= gaps.length;
      this.#trackers.delete(source);
    }
    return forgotten.length;
  }

  /** Returns the sources that are too many or have too many gaps, those that have been silent for longest. */
  #excess(): readonly string[] {
    const excess: string[] = [];
    let sources = this.#trackers.size;
    let gaps = this.#gaps;
    for (const [source, tracker] of this.#trackers) {
      if (sources <= maxSources && gaps <= maxGaps) {
        break;
      }
      excess.push(source);
      sources--;
      gaps -= tracker.gaps.length;
    }
    return excess;
  }
}
