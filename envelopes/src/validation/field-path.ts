/**
 * The path of a value in an object. Building one while walking costs next to nothing; its text is made only for an
 * error.
 */
export class FieldPath {
  readonly #parent: FieldPath | undefined;
  readonly #step: string | number;
  readonly #form: "name" | "bracketed";

  private constructor(parent: FieldPath | undefined, step: string | number, form: "name" | "bracketed") {
    this.#parent = parent;
    this.#step = step;
    this.#form = form;
  }

  /** Returns the path of a member of the object itself: `spec`. */
  static of(name: string): FieldPath {
    return new FieldPath(undefined, name, "name");
  }

  /** Returns the path of a member of the value at this path: `spec.replicas`. */
  child(name: string): FieldPath {
    return new FieldPath(this, name, "name");
  }

  /** Returns the path of an item of the list at this path: `spec.ports[0]`. */
  index(index: number): FieldPath {
    return new FieldPath(this, index, "bracketed");
  }

  /** Returns the path of the value of a key of the map at this path: `data[key]`. */
  key(key: string): FieldPath {
    return new FieldPath(this, key, "bracketed");
  }

  /** Returns the path as kubectl shows it: `spec.template.spec.containers[0].name`. */
  toString(): string {
    const own = this.#form === "name" ? this.#step : `[${this.#step}]`;
    if (this.#parent === undefined) {
      return String(own);
    }
    return this.#form === "name" ? `${this.#parent}.${own}` : `${this.#parent}${own}`;
  }
}
