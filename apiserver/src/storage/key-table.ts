/**
 * A table of things that own the keys under a prefix: `<root><resource>/` or `<root><group>/<resource>/`. Finding the owner
 * of a key does not depend on how many there are.
 */
export class KeyTable<T> {
  readonly #root: string;
  /** Owners by prefix relative to the root. */
  readonly #owners = new Map<string, T>();

  /** `root` is the prefix of all keys, with a slash at its end. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Sets the owner of a prefix, which begins with the root and ends with a slash. */
  set(prefix: string, owner: T): void {
    this.#owners.set(prefix.slice(this.#root.length), owner);
  }

  /** Returns the owner of exactly this prefix. */
  get(prefix: string): T | undefined {
    return this.#owners.get(prefix.slice(this.#root.length));
  }

  delete(prefix: string): void {
    this.#owners.delete(prefix.slice(this.#root.length));
  }

  owners(): IterableIterator<T> {
    return this.#owners.values();
  }

  /** Returns the owner of a key; undefined when nothing owns it. */
  find(key: string): T | undefined {
    const from = this.#root.length;
    const first = key.indexOf("/", from);
    if (first < 0 || !key.startsWith(this.#root)) {
      return undefined;
    }
    const direct = this.#owners.get(key.slice(from, first + 1));
    if (direct !== undefined) {
      return direct;
    }
    const second = key.indexOf("/", first + 1);
    return second < 0 ? undefined : this.#owners.get(key.slice(from, second + 1));
  }
}
