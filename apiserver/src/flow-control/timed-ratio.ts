import type { Histogram } from "@gatehouse/component-base/metrics";

const nanosecondsPerMs = 1e6;

/** A ratio that is observed at the end of every nanosecond, in a histogram whose counts are nanoseconds. */
export class TimedRatio {
  readonly #histogram: Histogram;
  #numerator = 0;
  #denominator = 1;
  #ratio = 0;

  constructor(histogram: Histogram) {
    this.#histogram = histogram;
  }

  /** Observes the ratio for the time for which it has held. */
  advance(elapsedMs: number): void {
    this.#histogram.observe(this.#ratio, Math.round(elapsedMs * nanosecondsPerMs));
  }

  set numerator(numerator: number) {
    if (numerator !== this.#numerator) {
      this.#numerator = numerator;
      this.#ratio = numerator / this.#denominator;
    }
  }

  set denominator(denominator: number) {
    this.#denominator = denominator;
    this.#ratio = this.#numerator / denominator;
  }
}
