/** The observations of a summary. */
export interface SummaryData {
  /** Quantiles of the observations that are young enough; NaN where there are none. */
  readonly quantiles: readonly (readonly [quantile: number, value: number])[];
  /** Sum of all observations, however old. */
  readonly sum: number;
  readonly count: number;
}

/** One series of a summary. */
export interface SummaryCell {
  observe(value: number): void;
  read(): SummaryData;
}

/** Over how long a time quantiles are taken, and of which clock; `now` is in milliseconds. */
export interface SummaryOptions {
  readonly maxAgeMs: number;
  readonly now: () => number;
}

/** Default quantiles of Prometheus clients. */
const quantiles = [0.5, 0.9, 0.99];

/** The past is forgotten in fifths of the time for which it counts. */
const ageBuckets = 5;

/** A value is known to 1 %: each bucket reaches 2 % further than the one below. The lowest is for a microsecond or less. */
const growth = 1.02;
const smallest = 1e-6;
const logGrowth = Math.log(growth);
const buckets = Math.ceil(Math.log(1e10) / logGrowth);

/**
 * Counts values in buckets that grow by a constant factor, so that quantiles of any two can be told from their sum, and
 * an observation costs one logarithm.
 */
export function createSummaryCell({ maxAgeMs, now }: SummaryOptions): SummaryCell {
  const stepMs = maxAgeMs / ageBuckets;
  const ages = Array.from({ length: ageBuckets }, () => ({ step: -1, counts: new Uint32Array(buckets) }));
  let sum = 0;
  let count = 0;

  return {
    observe(value) {
      sum += value;
      count++;
      const step = Math.floor(now() / stepMs);
      const age = ages[step % ageBuckets] as (typeof ages)[number];
      if (age.step !== step) {
        age.step = step;
        age.counts.fill(0);
      }
      const bucket = value <= smallest ? 0 : Math.ceil(Math.log(value / smallest) / logGrowth);
      const index = Math.min(bucket, buckets - 1);
      age.counts[index] = (age.counts[index] ?? 0) + 1;
    },
    read() {
      const oldest = Math.floor(now() / stepMs) - ageBuckets;
      const young = ages.filter(({ step }) => step > oldest).map(({ counts }) => counts);
      return { quantiles: quantilesOf(young), sum, count };
    },
  };
}

function quantilesOf(ages: readonly Uint32Array[]): SummaryData["quantiles"] {
  const counts = Array.from({ length: buckets }, (_, index) =>
    ages.reduce((total, age) => total + (age[index] ?? 0), 0),
  );
  const total = counts.reduce((all, count) => all + count, 0);
  return quantiles.map((quantile) => {
    if (total === 0) {
      return [quantile, Number.NaN];
    }
    let seen = 0;
    const index = counts.findIndex((count) => {
      seen += count;
      return seen >= quantile * total;
    });
    // The middle of the bucket.
    return [quantile, smallest * growth ** (index - 0.5)];
  });
}
