/**
 * The second run of the mutating phase (v1.29 `reinvocationPolicy`): plugins that have seen an object which another one has
 * changed since may see it once more. There is one such run at most.
 */
export class Reinvocation {
  #isWanted = false;
  #hasBegun = false;
  readonly #notes = new Map<object, unknown>();

  /** True during the second run. */
  get isUnderWay(): boolean {
    return this.#hasBegun;
  }

  /** Asks for a second run, for the sake of those that were asked before. */
  request(): void {
    this.#isWanted = true;
  }

  /** Begins the second run if there is to be one, and reports whether. Called by the chain. */
  begin(): boolean {
    if (!this.#isWanted || this.#hasBegun) {
      return false;
    }
    this.#hasBegun = true;
    return true;
  }

  /** Returns the notes that a plugin keeps of this write from the first run to the second, made at the first call. */
  notesOf<T>(plugin: object, make: () => T): T {
    if (!this.#notes.has(plugin)) {
      this.#notes.set(plugin, make());
    }
    return this.#notes.get(plugin) as T;
  }
}
