/** The time of several pieces of work together. Work inside of measured work counts once. */
export class Stopwatch {
  readonly #now: () => number;
  #seconds = 0;
  #isRunning = false;

  /** `now` returns the time in seconds since some moment. */
  constructor(now: () => number) {
    this.#now = now;
  }

  get seconds(): number {
    return this.#seconds;
  }

  measure<T>(work: () => T): T {
    if (this.#isRunning) {
      return work();
    }
    const begin = this.#now();
    this.#isRunning = true;
    try {
      return work();
    } finally {
      this.#isRunning = false;
      this.#seconds += this.#now() - begin;
    }
  }
}
