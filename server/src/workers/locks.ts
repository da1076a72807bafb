interface Waiting<H> {
  readonly holder: H;
  readonly grant: () => void;
}

/** Locks by name, each held by one of several holders at a time. A holder that ends gives all its locks back. */
export class Locks<H> {
  readonly #held = new Map<string, { holder: H; readonly waiting: Waiting<H>[] }>();

  /** Resolves when the holder has the lock; those who ask for it get it in the order in which they have asked. */
  acquire(name: string, holder: H): Promise<void> {
    const lock = this.#held.get(name);
    if (lock === undefined) {
      this.#held.set(name, { holder, waiting: [] });
      return Promise.resolve();
    }
    return new Promise((grant) => {
      lock.waiting.push({ holder, grant });
    });
  }

  /** Gives a lock back, to the one who has waited longest. */
  release(name: string, holder: H): void {
    const lock = this.#held.get(name);
    if (lock?.holder !== holder) {
      return;
    }
    const next = lock.waiting.shift();
    if (next === undefined) {
      this.#held.delete(name);
    } else {
      lock.holder = next.holder;
      next.grant();
    }
  }

  /** Gives back all locks of a holder that has ended, and what it has waited for. */
  ended(holder: H): void {
    for (const [name, lock] of [...this.#held]) {
      lock.waiting.splice(0, lock.waiting.length, ...lock.waiting.filter((waiting) => waiting.holder !== holder));
      this.release(name, holder);
    }
  }
}
