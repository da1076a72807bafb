/**
 * A path of fields below a variable. A longer path is written behind it in the same memory while there is room, as in
 * v1.29, where two paths that continue one can both read as the later of them. Estimates decide which rules a custom
 * resource definition may have, so they are the same here.
 */
export class FieldPath {
  readonly #shared: string[];
  readonly #length: number;
  readonly #capacity: number;

  private constructor(shared: string[], length: number, capacity: number) {
    this.#shared = shared;
    this.#length = length;
    this.#capacity = capacity;
  }

  /** Returns the path of one name. */
  static of(name: string): FieldPath {
    return new FieldPath([name], 1, 1);
  }

  /** Returns the path that continues another by a name; of none, the path of that name. */
  static append(path: FieldPath | undefined, name: string): FieldPath {
    return path ? path.#append(name) : FieldPath.of(name);
  }

  /** The names, as they are now. */
  get names(): readonly string[] {
    return this.#shared.slice(0, this.#length);
  }

  #append(name: string): FieldPath {
    const hasRoom = this.#length < this.#capacity;
    const names = hasRoom ? this.#shared : this.#shared.slice(0, this.#length);
    names[this.#length] = name;
    return new FieldPath(names, this.#length + 1, hasRoom ? this.#capacity : this.#capacity * 2);
  }
}
