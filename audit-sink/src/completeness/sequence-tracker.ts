/** Numbers that have not come: first and last of them. */
export interface SequenceGap {
  readonly first: number;
  readonly last: number;
}

/** A gap as it is remembered. */
export interface TrackedGap extends SequenceGap {
  /** Time at which a later number came, in milliseconds of a monotonic clock. */
  readonly since: number;
  readonly isReported: boolean;
}

/** Number of gaps that `forget` leaves; of others, the tracker only knows how many numbers they hold. */
const maxGaps = 1000;

/**
 * The sequence numbers received from one source. Batches may come in any order, and more than once. Numbers before the
 * first batch are not expected.
 */
export class SequenceTracker {
  /** The number after the highest that has come. */
  next: number;
  #forgotten: number;
  #gaps: TrackedGap[];

  constructor(next: number, gaps: readonly TrackedGap[] = [], forgotten = 0) {
    this.next = next;
    this.#gaps = [...gaps];
    this.#forgotten = forgotten;
  }

  /** Number of missing events in gaps that have been forgotten. */
  get forgotten(): number {
    return this.#forgotten;
  }

  /** True while there is a gap that has not been reported. */
  get hasUnreported(): boolean {
    return this.#gaps.some(({ isReported }) => !isReported);
  }

  /** Gaps in ascending order. */
  get gaps(): readonly TrackedGap[] {
    return this.#gaps;
  }

  /** Number of missing events. */
  get missing(): number {
    return this.#gaps.reduce((sum, { first, last }) => sum + last - first + 1, this.#forgotten);
  }

  /** Notes `count` numbers from `first` on as received. Returns those of them that had been reported as missing. */
  received(first: number, count: number, now: number): readonly SequenceGap[] {
    const end = first + count;
    if (first > this.next) {
      this.#gaps.push({ first: this.next, last: first - 1, since: now, isReported: false });
    }
    const filled = first < this.next ? this.#fill(first, end - 1) : [];
    this.next = Math.max(this.next, end);
    return filled;
  }

  /**
   * Returns the gaps that are older than `ageMs` and those that `forget` would forget, unless they have been reported. They
   * count as reported from now on.
   */
  report(ageMs: number, now: number): readonly SequenceGap[] {
    const excess = this.#gaps.length - maxGaps;
    const due = this.#gaps.filter((gap, index) => !gap.isReported && (index < excess || now - gap.since >= ageMs));
    if (due.length > 0) {
      const isDue = new Set(due);
      this.#gaps = this.#gaps.map((gap) => (isDue.has(gap) ? { ...gap, isReported: true } : gap));
    }
    return due;
  }

  /** Forgets gaps that are too many and have been reported, those with the lowest numbers first. Returns their number. */
  forget(): number {
    let excess = this.#gaps.length - maxGaps;
    const before = this.#gaps.length;
    this.#gaps = this.#gaps.filter(({ first, last, isReported }) => {
      if (excess <= 0 || !isReported) {
        return true;
      }
      excess--;
      this.#forgotten += last - first + 1;
      return false;
    });
    return before - this.#gaps.length;
  }

  #fill(first: number, last: number): readonly SequenceGap[] {
    const filled: SequenceGap[] = [];
    this.#gaps = this.#gaps.flatMap((gap) => {
      if (gap.last < first || gap.first > last) {
        return [gap];
      }
      if (gap.isReported) {
        filled.push({ first: Math.max(gap.first, first), last: Math.min(gap.last, last) });
      }
      return [
        ...(gap.first < first ? [{ ...gap, last: first - 1 }] : []),
        ...(gap.last > last ? [{ ...gap, first: last + 1 }] : []),
      ];
    });
    return filled;
  }
}
