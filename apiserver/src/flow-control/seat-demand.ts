/** The demand for seats of a priority level over an adjustment period, weighted by time. */
export interface ObservedDemand {
  readonly average: number;
  readonly deviation: number;
  readonly highWatermark: number;
  /** An average over many periods, which rises at once and falls by half in five minutes. */
  readonly smoothed: number;
}

/** The weight of the past in the smoothed demand, for periods of ten seconds. */
const smoothing = 0.977;

/** Measures the demand for seats of one priority level. */
export class SeatDemand {
  #seats = 0;
  #elapsedMs = 0;
  #integral = 0;
  #integralOfSquares = 0;
  #highWatermark = 0;
  #last: ObservedDemand = { average: 0, deviation: 0, highWatermark: 0, smoothed: 0 };

  /** Counts the demand that has held for a time, and takes the one that holds from now on. */
  advance(elapsedMs: number): void {
    this.#elapsedMs += elapsedMs;
    this.#integral += this.#seats * elapsedMs;
    this.#integralOfSquares += this.#seats * this.#seats * elapsedMs;
  }

  set seats(seats: number) {
    this.#seats = seats;
    if (seats > this.#highWatermark) {
      this.#highWatermark = seats;
    }
  }

  /** Ends a period and returns what was observed in it. */
  endPeriod(): ObservedDemand {
    const { smoothed } = this.#last;
    const highWatermark = this.#highWatermark;
    if (this.#elapsedMs <= 0) {
      this.#last = { ...this.#last, highWatermark };
    } else {
      const average = this.#integral / this.#elapsedMs;
      const deviation = Math.sqrt(Math.max(0, this.#integralOfSquares / this.#elapsedMs - average * average));
      const envelope = average + deviation;
      this.#last = {
        average,
        deviation,
        highWatermark,
        smoothed: Math.max(envelope, smoothing * smoothed + (1 - smoothing) * envelope),
      };
    }
    this.#elapsedMs = 0;
    this.#integral = 0;
    this.#integralOfSquares = 0;
    this.#highWatermark = this.#seats;
    return this.#last;
  }
}
