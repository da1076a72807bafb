/**
 * A bound on bytes that several holders have at the same time. Each of them may have as many as it leaves free for all others:
 * a single holder gets half, and some are always left for the next one.
 */
export class ByteBudget {
  readonly #limit: number;
  readonly #held = new Map<string, number>();
  #taken = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get taken(): number {
    return this.#taken;
  }

  /** Takes so many bytes if they are there for the holder, who gives them back by `give`. */
  tryTake(holder: string, bytes: number): boolean {
    const held = (this.#held.get(holder) ?? 0) + bytes;
    const taken = this.#taken + bytes;
    if (held > this.#limit - taken) {
      return false;
    }
    this.#held.set(holder, held);
    this.#taken = taken;
    return true;
  }

  give(holder: string, bytes: number): void {
    const held = (this.#held.get(holder) ?? 0) - bytes;
    if (held > 0) {
      this.#held.set(holder, held);
    } else {
      this.#held.delete(holder);
    }
    this.#taken -= bytes;
  }
}
