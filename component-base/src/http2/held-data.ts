/** Bytes of a piece that small ones are copied into. */
const slabBytes = 16 * 1024;

/**
 * The data of a stream that waits until it is resumed. Small pieces but the first, which is often all, are put together: a
 * peer may send its window byte by byte, and neither memory nor time may grow with the number of its frames.
 */
export class HeldData {
  readonly #pieces: Buffer[] = [];
  /** The memory behind the last piece, if that is a copy, and its bytes that are taken. */
  #slab: Buffer | undefined;
  #used = 0;

  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  /** Adds data behind what is here. */
  add(bytes: Buffer): void {
    if (this.isEmpty || bytes.length >= slabBytes) {
      this.#pieces.push(bytes);
      this.#slab = undefined;
      return;
    }
    if (this.#slab === undefined || this.#used + bytes.length > slabBytes) {
      this.#slab = Buffer.allocUnsafeSlow(slabBytes);
      this.#used = 0;
      this.#pieces.push(this.#slab);
    }
    bytes.copy(this.#slab, this.#used);
    this.#used += bytes.length;
    this.#pieces[this.#pieces.length - 1] = this.#slab.subarray(0, this.#used);
  }

  /** Takes the first piece; undefined if there is none. */
  shift(): Buffer | undefined {
    const piece = this.#pieces.shift();
    if (this.isEmpty) {
      this.#slab = undefined; // its bytes are the receiver's now
    }
    return piece;
  }
}
