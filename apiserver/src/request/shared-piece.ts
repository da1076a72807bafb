const lineEnd = Buffer.from("\r\n");

/**
 * A piece that many answers send, such as an event for a thousand watchers. Its framing for a version of HTTP is made
 * once, when first used.
 */
export class SharedPiece {
  #bytes: Buffer;
  #chunk: Buffer | undefined;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get bytes(): Buffer {
    return this.#bytes;
  }

  get length(): number {
    return this.#bytes.length;
  }

  /** The piece as one chunk of HTTP/1.1's chunked transfer coding (RFC 9112, section 7.1). */
  get chunk(): Buffer {
    if (this.#chunk === undefined) {
      const head = Buffer.from(`${this.length.toString(16)}\r\n`, "latin1");
      this.#chunk = Buffer.concat([head, this.#bytes, lineEnd]);
      // One copy is enough for both.
      this.#bytes = this.#chunk.subarray(head.length, -lineEnd.length);
    }
    return this.#chunk;
  }
}
