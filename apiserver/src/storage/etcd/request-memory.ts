/** Buffers up to this size come from Node's own pool, which is as good. */
const smallBytes = 4096;
/** Bytes that are kept for later at most. */
const maxKeptBytes = 8 * 1024 * 1024;

/** Memory for large requests that is used again when they have been answered. */
export class RequestMemory {
  readonly #free = new Map<number, Buffer[]>();
  #keptBytes = 0;

  /** Returns `length` bytes or more, of any content. */
  readonly allocate = (length: number): Buffer => {
    if (length <= smallBytes) {
      return Buffer.allocUnsafe(length);
    }
    const size = 2 ** Math.ceil(Math.log2(length));
    const kept = this.#free.get(size)?.pop();
    if (kept === undefined) {
      return Buffer.allocUnsafeSlow(size);
    }
    this.#keptBytes -= size;
    return kept;
  };

  /** Takes back the memory of a request that has been answered: nobody may read it any more. */
  release(request: Buffer): void {
    const size = request.buffer.byteLength;
    if (request.length <= smallBytes || this.#keptBytes + size > maxKeptBytes) {
      return;
    }
    const buffer = Buffer.from(request.buffer);
    const free = this.#free.get(size);
    if (free === undefined) {
      this.#free.set(size, [buffer]);
    } else {
      free.push(buffer);
    }
    this.#keptBytes += size;
  }
}
