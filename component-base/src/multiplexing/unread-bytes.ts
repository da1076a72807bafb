/** Counted for each piece of data that waits, so that a flood of tiny ones is bounded, too. */
const pieceBytes = 64;

/** Data of all streams of one connection that waits for their readers. The connection is not read while it is too much. */
export class UnreadBytes {
  readonly #max: number;
  readonly #setPaused: (paused: boolean) => void;
  #bytes = 0;
  #paused = false;

  /** `setPaused` is called when the count reaches `max`, and when it is below again. */
  constructor(max: number, setPaused: (paused: boolean) => void) {
    this.#max = max;
    this.#setPaused = setPaused;
  }

  add(piece: Buffer): void {
    this.#change(piece.length + pieceBytes);
  }

  remove(piece: Buffer): void {
    this.#change(-piece.length - pieceBytes);
  }

  #change(bytes: number): void {
    this.#bytes += bytes;
    const paused = this.#bytes >= this.#max;
    if (paused !== this.#paused) {
      this.#paused = paused;
      this.#setPaused(paused);
    }
  }
}
