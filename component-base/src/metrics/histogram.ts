/** The counts of a histogram. */
export interface HistogramData {
  /** Upper bounds, ascending, without infinity. */
  readonly bounds: Float64Array;
  /** Observations per bucket, not cumulative; the last entry is for everything above the last bound. */
  readonly counts: Float64Array;
  readonly sum: number;
}

/** One series of a histogram. */
export interface HistogramCell {
  observe(value: number, weight?: number): void;
  read(): HistogramData;
}

/**
 * Counts each value in the first bucket whose bound is not below it, as `le` means. `bounds` ascend and are not changed
 * afterwards.
 */
export function createHistogramCell(bounds: Float64Array): HistogramCell {
  const counts = new Float64Array(bounds.length + 1);
  let sum = 0;
  return {
    observe(value, weight = 1) {
      sum += value * weight;
      // Most observations are small, so walking up from the first bound ends early and beats a binary search.
      let index = 0;
      while (index < bounds.length && value > (bounds[index] ?? 0)) {
        index++;
      }
      counts[index] = (counts[index] ?? 0) + weight;
    },
    read: () => ({ bounds, counts, sum }),
  };
}
