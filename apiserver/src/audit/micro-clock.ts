/** The deviation from the system's clock in milliseconds up to which a clock does not follow it at once. */
const maxDeviationMs = 2;

/**
 * A clock of microseconds since 1970. The system tells milliseconds only; its monotonic clock tells the rest. When the
 * system's clock is set, this one follows.
 */
export class MicroClock {
  #offsetMs = Date.now() - performance.now();

  /** Returns the microseconds since 1970 at a moment of `performance.now()`; now by default. */
  at(monotonicMs: number = performance.now()): number {
    const now = performance.now();
    const wall = Date.now();
    const deviation = this.#offsetMs + now - wall;
    // The system's milliseconds are cut off, so that it is behind by up to one.
    if (deviation > 1 + maxDeviationMs || deviation < -maxDeviationMs) {
      this.#offsetMs = wall - now;
    }
    return Math.round((this.#offsetMs + monotonicMs) * 1000);
  }
}

let lastSecond = Number.NaN;
let lastSecondText = "";

/** Returns a time as `2006-01-02T15:04:05.000000Z`. */
export function microTimeText(micros: number): string {
  const second = Math.floor(micros / 1_000_000);
  if (second !== lastSecond) {
    // Of thousands of events in a second the first one pays for the calendar.
    lastSecond = second;
    lastSecondText = new Date(second * 1000).toISOString().slice(0, 19);
  }
  return `${lastSecondText}.${String(micros - second * 1_000_000).padStart(6, "0")}Z`;
}
