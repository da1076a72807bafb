import { ApiError } from "./api-error.js";

const firstDelayMs = 1000;
const maxDelayMs = 15_000;

/** Tries something again while the sink is away: soon at first, then less and less often. */
export class Connection {
  #failures = 0;
  #timer = 0;

  /** Schedules another try when the error is one that passes. Returns whether it is. */
  retry(error: unknown, tryAgain: () => void): boolean {
    if (!(error instanceof ApiError) || !error.isTransient) {
      return false;
    }
    const delayMs = error.retryAfterMs ?? Math.min(maxDelayMs, firstDelayMs * 2 ** this.#failures);
    this.#failures++;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(tryAgain, delayMs);
    return true;
  }

  /** Forgets failures, after an answer. */
  succeed(): void {
    this.#failures = 0;
    clearTimeout(this.#timer);
  }

  /** Gives up the try that is scheduled, because another one begins now. */
  cancel(): void {
    clearTimeout(this.#timer);
  }
}
