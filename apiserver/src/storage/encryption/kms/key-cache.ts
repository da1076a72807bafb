/** A cache of decrypted keys by their encrypted form. When it is full, the least recently used one is dropped. */
export class KeyCache<T> {
  readonly #maxEntries: number;
  readonly #entries = new Map<string, T>();

  /** Prepares a cache; with 0 entries or less it keeps nothing. */
  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (entry !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, entry);
    }
    return entry;
  }

  set(key: string, entry: T): void {
    if (this.#maxEntries <= 0) {
      return;
    }
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#maxEntries && oldest !== undefined) {
      this.#entries.delete(oldest);
    }
  }
}
