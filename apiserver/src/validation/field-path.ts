/**
 * Where in an object something stands. Made while walking, for nearly nothing; its text is written only when something
 * is wrong there.
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

  /** A member of the object itself: `spec`. */
  static of(name: string): FieldPath {
    return new FieldPath(undefined, name, "name");
  }

  /** A member of what stands here: `spec.replicas`. */
  child(name: string): FieldPath {
    return new FieldPath(this, name, "name");
  }

  /** An item of the list here: `spec.ports[0]`. */
  index(index: number): FieldPath {
    return new FieldPath(this, index, "bracketed");
  }

  /** The value of a key of the map here: `data[key]`. */
  key(key: string): FieldPath {
    return new FieldPath(this, key, "bracketed");
  }

  /** As kubectl shows it: `spec.template.spec.containers[0].name`. */
  toString(): string {
    const own = this.#form === "name" ? this.#step : `[${this.#step}]`;
    if (this.#parent === undefined) {
      return String(own);
    }
    return this.#form === "name" ? `${this.#parent}.${own}` : `${this.#parent}${own}`;
  }
}
