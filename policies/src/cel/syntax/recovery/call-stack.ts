/**
 * Stacks of states to which called rules return, several of them at once: `next` has the stacks below each state at the
 * top. Equal ones of the same table are one object.
 */
export interface CallStacks {
  readonly id: number;
  /** True if one of the stacks is empty. */
  readonly isEmpty: boolean;
  readonly next: ReadonlyMap<number, CallStacks>;
}

/** Makes call stacks. */
export class CallStackTable {
  readonly #known = new Map<string, CallStacks>();
  /** The empty stack. */
  readonly empty: CallStacks = this.#intern(true, new Map());

  /** Returns the stacks with one more state at the top. */
  push(state: number, below: CallStacks): CallStacks {
    return this.#intern(false, new Map([[state, below]]));
  }

  /** Returns the stacks of both. `emptyIsAny`: below an empty stack there may be anything, so it stands for the others. */
  merge(a: CallStacks, b: CallStacks, emptyIsAny: boolean): CallStacks {
    if (a === b) return a;
    if (emptyIsAny && (a.isEmpty || b.isEmpty)) return this.empty;
    const next = new Map(a.next);
    for (const [state, below] of b.next) {
      const known = next.get(state);
      next.set(state, known === undefined ? below : this.merge(known, below, emptyIsAny));
    }
    return this.#intern(a.isEmpty || b.isEmpty, next);
  }

  #intern(isEmpty: boolean, next: ReadonlyMap<number, CallStacks>): CallStacks {
    const entries = [...next].sort(([a], [b]) => a - b).map(([state, below]) => `${state}>${below.id}`);
    const key = `${isEmpty}:${entries.join()}`;
    let stacks = this.#known.get(key);
    if (stacks === undefined) {
      stacks = { id: this.#known.size, isEmpty, next };
      this.#known.set(key, stacks);
    }
    return stacks;
  }
}
