/** Values are copied into shared chunks that grow up to this size; a large value gets its own. */
const maxChunkBytes = 64 * 1024;

const noBytes = Buffer.alloc(0);

/**
 * Memory for values that are read from a store. A Buffer of its own costs more than a small value, so values share chunks.
 * A reader that goes through very many values can have the same chunks again: fresh memory costs more than copying into it.
 * Chunks are kept from the first `reuse` on; before, a chunk lives as long as the values in it.
 */
export class ValueMemory {
  #kept: Buffer[] | undefined;
  #chunk: Buffer = noBytes;
  #used = 0;
  #next = 0;
  #nextChunkBytes = 0;

  /** Returns room for a value of `length` bytes, whose content is arbitrary. */
  allocate(length: number): Buffer {
    if (length > maxChunkBytes / 4) {
      return Buffer.allocUnsafeSlow(length);
    }
    if (this.#used + length > this.#chunk.length) {
      if (this.#nextChunkBytes === 0) {
        this.#nextChunkBytes = 4 * length;
        return Buffer.allocUnsafe(length); // most readers read one value
      }
      this.#takeChunk(length);
    }
    const start = this.#used;
    this.#used += length;
    return this.#chunk.subarray(start, start + length);
  }

  /** Takes all kept chunks back, to be used again: values that lie in them are no longer valid. */
  reuse(): void {
    this.#kept ??= [];
    this.#next = 0;
    this.#chunk = noBytes;
    this.#used = 0;
  }

  /** Goes on to the next chunk that has room for `length` bytes, which may be one that was used before. */
  #takeChunk(length: number): void {
    for (;;) {
      let chunk = this.#kept?.[this.#next++];
      if (chunk === undefined) {
        chunk = Buffer.allocUnsafeSlow(Math.max(length, this.#nextChunkBytes));
        this.#nextChunkBytes = Math.min(maxChunkBytes, 4 * this.#nextChunkBytes);
        this.#kept?.push(chunk);
      }
      if (chunk.length >= length) {
        this.#chunk = chunk;
        this.#used = 0;
        return;
      }
    }
  }
}
