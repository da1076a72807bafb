interface Entry<T> {
  readonly answer: T;
  readonly expiresAt: number;
}

/** A cache of a webhook's answers by question. When it is full, the least recently used answer is dropped. */
export class AnswerCache<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #maxEntries: number;
  readonly #now: () => number;

  /** Prepares a cache; `now` returns milliseconds, on any clock. */
  constructor(maxEntries: number, now: () => number) {
    this.#maxEntries = maxEntries;
    this.#now = now;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      return undefined;
    }
    this.#entries.delete(key);
    if (this.#now() >= entry.expiresAt) {
      return undefined;
    }
    this.#entries.set(key, entry);
    return entry.answer;
  }

  add(key: string, answer: T, ttlMs: number): void {
    if (ttlMs === 0) {
      return;
    }
    this.#entries.delete(key);
    this.#entries.set(key, { answer, expiresAt: this.#now() + ttlMs });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#maxEntries && oldest !== undefined) {
      this.#entries.delete(oldest);
    }
  }
}
