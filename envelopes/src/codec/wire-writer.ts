/**
 * Writes protobuf from the end to the beginning: the length of a message stands before it and is known only after it is
 * written. Callers therefore write fields in descending order, and payload, length, tag in this order.
 */
export class WireWriter {
  #buffer: Buffer;
  #start: number;

  constructor(sizeHint = 1024) {
    this.#buffer = Buffer.allocUnsafe(sizeHint);
    this.#start = sizeHint;
  }

  /** Bytes written so far; the difference of two values is the length of what was written between. */
  get length(): number {
    return this.#buffer.length - this.#start;
  }

  /** Returns a copy of the written bytes. */
  finish(): Buffer {
    return Buffer.from(this.#buffer.subarray(this.#start));
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#buffer[--this.#start] = value;
  }

  /** Writes an integer that is exact as a number; negative ones take ten bytes, as int32 and int64 do. */
  varint(value: number): void {
    if (value >= 0 && value < 0x80) {
      this.byte(value);
    } else if (value >= 0 && value <= 0x7fffffff) {
      const size = value < 0x4000 ? 2 : value < 0x200000 ? 3 : value < 0x10000000 ? 4 : 5;
      this.#reserve(size);
      this.#start -= size;
      let at = this.#start;
      let rest = value;
      while (rest > 0x7f) {
        this.#buffer[at++] = (rest & 0x7f) | 0x80;
        rest >>>= 7;
      }
      this.#buffer[at] = rest;
    } else {
      this.varint64(BigInt(value));
    }
  }

  varint64(value: bigint): void {
    // Two halves of 32 bits: a step with a bigint costs ten times one with a number.
    const unsigned = BigInt.asUintN(64, value);
    let low = Number(BigInt.asUintN(32, unsigned));
    let high = Number(unsigned >> 32n);
    const bits = high > 0 ? 64 - Math.clz32(high) : 32 - Math.clz32(low);
    const size = Math.max(1, Math.ceil(bits / 7));
    this.#reserve(size);
    this.#start -= size;
    const last = this.#start + size - 1;
    for (let at = this.#start; at < last; at++) {
      this.#buffer[at] = (low & 0x7f) | 0x80;
      low = ((low >>> 7) | (high << 25)) >>> 0;
      high >>>= 7;
    }
    this.#buffer[last] = low;
  }

  double(value: number): void {
    this.#reserve(8);
    this.#start -= 8;
    this.#buffer.writeDoubleLE(value, this.#start);
  }

  /** Writes text as UTF-8 with its length. */
  string(text: string): void {
    const { length } = text;
    if (length <= 24) {
      // A native call costs more than a loop over so few characters.
      this.#reserve(length);
      let at = this.#start;
      let i = length;
      while (i > 0) {
        const code = text.charCodeAt(--i);
        if (code >= 0x80) {
          break;
        }
        this.#buffer[--at] = code;
        if (i === 0) {
          this.#start = at;
          this.varint(length);
          return;
        }
      }
      if (length === 0) {
        this.byte(0);
        return;
      }
    }
    const size = Buffer.byteLength(text);
    this.#reserve(size);
    this.#start -= size;
    this.#buffer.write(text, this.#start, size, size === length ? "latin1" : "utf8");
    this.varint(size);
  }

  /** Bytes without a length. */
  raw(bytes: Uint8Array | readonly number[]): void {
    this.#reserve(bytes.length);
    this.#start -= bytes.length;
    this.#buffer.set(bytes, this.#start);
  }

  /** Bytes with their length. */
  bytes(bytes: Uint8Array): void {
    this.raw(bytes);
    this.varint(bytes.length);
  }

  #reserve(size: number): void {
    if (size <= this.#start) {
      return;
    }
    const used = this.length;
    const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, used + size + 1024));
    this.#buffer.copy(grown, grown.length - used, this.#start);
    this.#buffer = grown;
    this.#start = grown.length - used;
  }
}
