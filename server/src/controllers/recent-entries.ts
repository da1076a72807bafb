/** Entries by key, of which those that were set longest ago are forgotten first. */
export class RecentEntries<Value> {
  readonly #entries = new Map<string, Value>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#max) {
      const { value: oldest } = this.#entries.keys().next();
      this.#entries.delete(oldest as string);
    }
  }
}
