/** A bound on bytes that several hold at the same time. */
export class ByteBudget {
  readonly #limit: number;
  #taken = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get taken(): number {
    return this.#taken;
  }

  /** Takes so many bytes if they are there. Whoever has them gives them back by `give`. */
  tryTake(bytes: number): boolean {
    if (this.#taken + bytes > this.#limit) {
      return false;
    }
    this.#taken += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#taken -= bytes;
  }
}
