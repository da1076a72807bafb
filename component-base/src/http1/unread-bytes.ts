/** Bytes that have come and are not read yet. Many small pieces cost no more than one large one. */
export class UnreadBytes {
  #memory: Buffer = none;
  #start = 0;
  #end = 0;
  /** True if the memory is of this object alone, so that it may be written to. */
  #isOwn = false;

  get length(): number {
    return this.#end - this.#start;
  }

  /** The bytes. They stay as they are: what follows is written behind them. */
  get bytes(): Buffer {
    return this.#memory.subarray(this.#start, this.#end);
  }

  append(bytes: Buffer): void {
    if (this.length === 0) {
      this.#memory = bytes;
      this.#start = 0;
      this.#end = bytes.length;
      this.#isOwn = false;
      return;
    }
    const needed = this.length + bytes.length;
    if (!this.#isOwn || this.#end + bytes.length > this.#memory.length) {
      const larger = Buffer.allocUnsafe(2 * needed);
      this.#memory.copy(larger, 0, this.#start, this.#end);
      this.#memory = larger;
      this.#end -= this.#start;
      this.#start = 0;
      this.#isOwn = true;
    }
    this.#memory.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  /** Takes bytes from the beginning. */
  skip(count: number): void {
    this.#start += count;
    if (this.#start === this.#end) {
      this.clear();
    }
  }

  clear(): void {
    this.#memory = none;
    this.#start = 0;
    this.#end = 0;
  }
}

const none = Buffer.alloc(0);
