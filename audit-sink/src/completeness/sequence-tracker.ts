/** Numbers that have not come: first and last of them. */
export interface SequenceGap {
  readonly first: number;
  readonly last: number;
}

/** A gap as it is remembered. */
export interface TrackedGap extends SequenceGap {
  /** When a later number came, in milliseconds on a clock that only goes forward. */
  readonly since: number;
  readonly isReported: boolean;
}

/** Gaps of a source that are remembered one by one from one `forget` to the next; of others only how many numbers they hold. */
const maxGaps = 1000;

/**
 * Which numbers of one source have come. Batches may come in any order, and more than once. Numbers before the first batch
 * are not looked for.
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

  /** How many numbers are missing in gaps that are not remembered any more. */
  get forgotten(): number {
    return this.#forgotten;
  }

  /** Whether there is a gap that has not been reported. */
  get hasUnreported(): boolean {
    return this.#gaps.some(({ isReported }) => !isReported);
  }

  /** In ascending order. */
  get gaps(): readonly TrackedGap[] {
    return this.#gaps;
  }

  /** How many numbers are missing. */
  get missing(): number {
    return this.#gaps.reduce((sum, { first, last }) => sum + last - first + 1, this.#forgotten);
  }

  /** So many numbers from `first` on have come. Returns those of them that had been reported as missing. */
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
   * The gaps that are older than `ageMs`, and those that `forget` would forget, if they have not been reported; from now on
   * they count as reported.
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

  /** Forgets the first gaps that are too many, of those that have been reported. Returns how many. */
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
