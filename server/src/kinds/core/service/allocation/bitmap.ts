/**
 * The set of taken numbers from 0 up to a size. The encoded form is that of a RangeAllocation: the bits as one
 * big-endian number without leading zeros, so that kube-apiserver and this server read each other's.
 */
export class Bitmap {
  readonly size: number;
  /** The bits: bit `n` is bit `n % 8` of byte `n / 8`. */
  readonly #bytes: Uint8Array;
  #count = 0;
  /** Index of a byte from which on no bit is set. */
  #end = 0;

  constructor(size: number) {
    this.size = size;
    this.#bytes = new Uint8Array(Math.ceil(size / 8));
  }

  /** Decodes the stored form. Numbers beyond the size are dropped. */
  static decode(size: number, encoded: Uint8Array): Bitmap {
    const bitmap = new Bitmap(size);
    const length = Math.min(encoded.length, bitmap.#bytes.length);
    for (let index = 0; index < length; index++) {
      bitmap.#bytes[index] = encoded[encoded.length - 1 - index] as number;
    }
    if (size % 8 !== 0 && length === bitmap.#bytes.length) {
      bitmap.#bytes[length - 1] = byteAt(bitmap.#bytes, length - 1) & (2 ** (size % 8) - 1);
    }
    bitmap.#end = length;
    for (let index = 0; index < length; index++) {
      bitmap.#count += bitsIn(byteAt(bitmap.#bytes, index));
    }
    return bitmap;
  }

  /** The number of taken numbers. */
  get count(): number {
    return this.#count;
  }

  has(number: number): boolean {
    return (byteAt(this.#bytes, number >> 3) & (1 << (number & 7))) !== 0;
  }

  /** Takes a number. Returns false when it is taken already. */
  add(number: number): boolean {
    if (this.has(number)) {
      return false;
    }
    const index = number >> 3;
    this.#bytes[index] = byteAt(this.#bytes, index) | (1 << (number & 7));
    this.#count++;
    this.#end = Math.max(this.#end, index + 1);
    return true;
  }

  /** Frees a number. Returns false when it was not taken. */
  remove(number: number): boolean {
    if (!this.has(number)) {
      return false;
    }
    const index = number >> 3;
    this.#bytes[index] = byteAt(this.#bytes, index) & ~(1 << (number & 7));
    this.#count--;
    return true;
  }

  /** Returns the first free number from `from` on, below `to`; undefined for none. */
  firstFree(from: number, to: number): number | undefined {
    let number = from;
    while (number < to) {
      if ((number & 7) === 0 && byteAt(this.#bytes, number >> 3) === 0xff) {
        number += 8;
      } else if (this.has(number)) {
        number++;
      } else {
        return number;
      }
    }
    return undefined;
  }

  /** Yields the taken numbers, smallest first. */
  *numbers(): Generator<number> {
    for (let index = 0; index < this.#end; index++) {
      const byte = byteAt(this.#bytes, index);
      for (let bit = 0; byte >> bit !== 0; bit++) {
        if ((byte & (1 << bit)) !== 0) {
          yield index * 8 + bit;
        }
      }
    }
  }

  encode(): Buffer {
    while (this.#end > 0 && this.#bytes[this.#end - 1] === 0) {
      this.#end--;
    }
    return Buffer.from(this.#bytes.subarray(0, this.#end)).reverse();
  }
}

function byteAt(bytes: Uint8Array, index: number): number {
  return bytes[index] ?? 0;
}

function bitsIn(byte: number): number {
  let count = 0;
  for (let rest = byte; rest !== 0; rest &= rest - 1) {
    count++;
  }
  return count;
}
