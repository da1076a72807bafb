/**
 * A token bucket, which lets `perSecond` through in the long run and `burst` at once. It starts full. Times are in
 * milliseconds, of any clock.
 */
export class TokenBucket {
  readonly #perMs: number;
  readonly #burst: number;
  #tokens: number;
  #filledAt: number;

  constructor(perSecond: number, burst: number, nowMs: number) {
    this.#perMs = perSecond / 1000;
    this.#burst = burst;
    this.#tokens = burst;
    this.#filledAt = nowMs;
  }

  /** Takes a token, if there is one. */
  tryTake(nowMs: number): boolean {
    // A clock that goes backwards fills nothing.
    const elapsed = Math.max(nowMs - this.#filledAt, 0);
    this.#tokens = Math.min(this.#burst, this.#tokens + elapsed * this.#perMs);
    this.#filledAt = Math.max(nowMs, this.#filledAt);
    if (this.#tokens < 1) {
      return false;
    }
    this.#tokens -= 1;
    return true;
  }
}
