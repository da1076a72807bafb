/** Keeps what was used last, up to a number of bytes. What was read from a chunk stays valid as long as someone holds it. */
export class ByteCache {
  readonly #maxBytes: number;
  /** Entries in the order of their use, the latest last. */
  readonly #entries = new Map<string, { readonly value: unknown; readonly bytes: number }>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Returns the value kept under a key, or else the one that `load` returns. A key stands for one type of value. */
  get<T>(key: string, load: () => { readonly value: T; readonly bytes: number }): T {
    const known = this.#entries.get(key);
    if (known !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, known);
      return known.value as T;
    }
    const loaded = load();
    this.#entries.set(key, loaded);
    this.#bytes += loaded.bytes;
    for (const [oldest, { bytes }] of this.#entries) {
      if (this.#bytes <= this.#maxBytes || oldest === key) {
        break;
      }
      this.#entries.delete(oldest);
      this.#bytes -= bytes;
    }
    return loaded.value;
  }
}
