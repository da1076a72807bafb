/** The longest time in seconds that clients are told to wait. */
const maxSeconds = 32;

/**
 * Returns the seconds after which clients of one priority level may try again: doubled while many requests are rejected,
 * one less for each second in which few are.
 */
export class RetryAfter {
  /** Rejections by second, the oldest first. */
  #history: { readonly second: number; readonly count: number }[] = [];
  #second = 0;
  #count = 0;
  #seconds = 1;
  #raisedAt = 0;

  get seconds(): number {
    return this.#seconds;
  }

  /** Counts a rejection. `second` is the time in whole seconds since the epoch. */
  rejected(second: number): void {
    if (this.#second === second) {
      this.#count++;
      return;
    }
    this.#remember();
    this.#second = second;
    this.#count = 1;
    this.#adjust(second);
  }

  #remember(): void {
    this.#history.push({ second: this.#second, count: this.#count });
    const oldest = this.#second - Math.min(2 * this.#seconds, maxSeconds);
    this.#history = this.#history.filter(({ second }) => second >= oldest);
  }

  #adjust(second: number): void {
    const recent = this.#history
      .filter((entry) => second - entry.second <= this.#seconds && entry.second < second)
      .reduce((sum, { count }) => sum + count, 0);
    if (second - this.#raisedAt >= this.#seconds && recent >= 3 * this.#seconds) {
      this.#seconds = Math.min(2 * this.#seconds, maxSeconds);
      this.#raisedAt = second;
    } else if (recent < this.#seconds && this.#seconds > 1) {
      this.#seconds--;
    }
  }
}
