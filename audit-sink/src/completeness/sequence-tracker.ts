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

/** Gaps of a source that are remembered one by one; of others only how many numbers they hold. */
const maxGaps = 1000;

/**
 * Which numbers of one source have come. Batches may come in any order, and more than once. Numbers before the first batch
 * are not looked for.
 */
export class SequenceTracker {
  /** The number after the highest that has come. */
  next: number;
  #forgotten = 0;
  #gaps: TrackedGap[];

  constructor(next: number, gaps: readonly TrackedGap[] = []) {
    this.next = next;
    this.#gaps = [...gaps];
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
      this.#forgetOldest();
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

  /** Preferably one that has been told of. */
  #forgetOldest(): void {
    if (this.#gaps.length > maxGaps) {
      const reported = this.#gaps.findIndex(({ isReported }) => isReported);
      for (const { first, last } of this.#gaps.splice(Math.max(reported, 0), 1)) {
        this.#forgotten += last - first + 1;
      }
    }
  }
}
