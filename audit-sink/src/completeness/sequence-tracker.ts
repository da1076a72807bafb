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

/** Gaps of a source beyond which the oldest that were reported are forgotten: they have been told of. */
const maxGaps = 10_000;

/**
 * Which numbers of one source have come. Batches may come in any order, and more than once. Numbers before the first batch
 * are not looked for.
 */
export class SequenceTracker {
  /** The number after the highest that has come. */
  next: number;
  #gaps: TrackedGap[];

  constructor(next: number, gaps: readonly TrackedGap[] = []) {
    this.next = next;
    this.#gaps = [...gaps];
  }

  /** In ascending order. */
  get gaps(): readonly TrackedGap[] {
    return this.#gaps;
  }

  /** So many numbers from `first` on have come. Returns those of them that had been reported as missing. */
  received(first: number, count: number, now: number): readonly SequenceGap[] {
    const end = first + count;
    if (first > this.next) {
      this.#gaps.push({ first: this.next, last: first - 1, since: now, isReported: false });
      this.#forgetReported();
    }
    const filled = first < this.next ? this.#fill(first, end - 1) : [];
    this.next = Math.max(this.next, end);
    return filled;
  }

  /** The gaps that are older than `ageMs` and have not been reported; from now on they count as reported. */
  report(ageMs: number, now: number): readonly SequenceGap[] {
    const due = this.#gaps.filter((gap) => !gap.isReported && now - gap.since >= ageMs);
    if (due.length > 0) {
      this.#gaps = this.#gaps.map((gap) => (due.includes(gap) ? { ...gap, isReported: true } : gap));
    }
    return due;
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

  #forgetReported(): void {
    const oldest = this.#gaps.length > maxGaps ? this.#gaps.findIndex(({ isReported }) => isReported) : -1;
    if (oldest >= 0) {
      this.#gaps.splice(oldest, 1);
    }
  }
}
