import type { Histogram } from "@gatehouse/component-base/metrics";

const nanosecondsPerMs = 1e6;

/**
 * A ratio that is observed at the end of every nanosecond, in a histogram whose counts are nanoseconds: when it changes, and
 * when the histogram is about to be read.
 */
export class TimedRatio {
  readonly #histogram: Histogram;
  #numerator = 0;
  #denominator = 1;
  #ratio = 0;
  /** The time for which the ratio has held, which has not been observed yet. */
  #heldMs = 0;

  constructor(histogram: Histogram) {
    this.#histogram = histogram;
  }

  /** Counts a time for which the ratio has held. */
  advance(elapsedMs: number): void {
    this.#heldMs += elapsedMs;
  }

  /** Observes the ratio for the time for which it has held. */
  observe(): void {
    if (this.#heldMs > 0) {
      this.#histogram.observe(this.#ratio, Math.round(this.#heldMs * nanosecondsPerMs));
      this.#heldMs = 0;
    }
  }

  set numerator(numerator: number) {
    if (numerator !== this.#numerator) {
      this.observe();
      this.#numerator = numerator;
      this.#ratio = numerator / this.#denominator;
    }
  }

  set denominator(denominator: number) {
    this.observe();
    this.#denominator = denominator;
    this.#ratio = this.#numerator / denominator;
  }
}
