/** The size in bytes up to which documents are indented; deep ones can grow a thousandfold. */
const maxIndentedBytes = 64 * 1024 * 1024;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const space = 0x20;
const newline = 0x0a;

/**
 * Indents JSON by two spaces, as Go does. The document must be without white space, as encoders make it; it is not
 * parsed, so that every number and key stays as it is.
 */
export function indentJson(json: Buffer): Buffer {
  const indented = new JsonIndenter().push(json, maxIndentedBytes);
  return indented.length > maxIndentedBytes ? json : indented;
}

/** Indents a document that comes in pieces, cut wherever they are. */
export class JsonIndenter {
  #out = Buffer.allocUnsafe(0);
  #at = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** True once an opening bracket has been written; whether a line follows it depends on the next character. */
  #opened = false;

  /**
   * Returns the indented form of a piece. Stops soon after `maxBytes` of output, when the caller has no use for more.
   */
  push(piece: Buffer, maxBytes = Number.POSITIVE_INFINITY): Buffer {
    this.#out = Buffer.allocUnsafe(Math.max(64, piece.length * 2));
    this.#at = 0;
    let i = 0;
    while (i < piece.length && this.#at <= maxBytes) {
      i = this.#inString ? this.#copyString(piece, i) : this.#step(piece, i);
    }
    return this.#out.subarray(0, this.#at);
  }

  /** Takes the byte at `i`, which is not inside a string. Returns where to go on. */
  #step(piece: Buffer, i: number): number {
    const byte = piece[i] as number;
    if (isClosing(byte)) {
      if (this.#opened) {
        this.#opened = false;
      } else {
        this.#depth--;
        this.#breakLine();
      }
      this.#write(byte);
      return i + 1;
    }
    if (this.#opened) {
      this.#opened = false;
      this.#depth++;
      this.#breakLine();
    }
    this.#write(byte);
    if (byte === quote) {
      this.#inString = true;
    } else if (byte === comma) {
      this.#breakLine();
    } else if (byte === colon) {
      this.#write(space);
    } else if (isOpening(byte)) {
      this.#opened = true;
    }
    return i + 1;
  }

  /** Copies up to the closing quote, or the end of the piece. Returns where to go on. */
  #copyString(piece: Buffer, start: number): number {
    let i = start;
    for (; i < piece.length && this.#inString; i++) {
      const byte = piece[i];
      if (this.#escaped) {
        this.#escaped = false;
      } else if (byte === backslash) {
        this.#escaped = true;
      } else if (byte === quote) {
        this.#inString = false;
      }
    }
    this.#reserve(i - start);
    piece.copy(this.#out, this.#at, start, i);
    this.#at += i - start;
    return i;
  }

  #breakLine(): void {
    const width = 2 * this.#depth;
    this.#reserve(1 + width);
    this.#out[this.#at++] = newline;
    this.#out.fill(space, this.#at, this.#at + width);
    this.#at += width;
  }

  #write(byte: number): void {
    this.#reserve(1);
    this.#out[this.#at++] = byte;
  }

  #reserve(count: number): void {
    if (this.#at + count > this.#out.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#at + count, this.#out.length * 2));
      this.#out.copy(larger, 0, 0, this.#at);
      this.#out = larger;
    }
  }
}

function isOpening(byte: number): boolean {
  return byte === 0x7b || byte === 0x5b;
}

function isClosing(byte: number): boolean {
  return byte === 0x7d || byte === 0x5d;
}
