import { DecodeError } from "../errors.js";

/** The limit of nested messages; only JSONSchemaProps could exceed it, and deep recursion would exhaust the stack. */
const maxDepth = 400;

/**
 * A buffer with the method that `Buffer.toString` calls once it has looked up the encoding; most of an object is short
 * strings.
 */
type Utf8Slicer = Buffer & { utf8Slice(start: number, end: number): string };

/** Reads protobuf primitives. Throws DecodeError, with Go's texts, on input that is cut off or malformed. */
export class WireReader {
  readonly #buffer: Utf8Slicer;
  #depth = 0;
  /** The index of the next byte to read. */
  at = 0;
  /** True if what managers own is read as text. */
  keepsFieldsText = false;
  /** True if times that JSON does not take are refused. */
  refusesFarTimes = false;

  constructor(bytes: Uint8Array) {
    const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#buffer = buffer as Utf8Slicer;
  }

  get length(): number {
    return this.#buffer.length;
  }

  enter(): void {
    if (++this.#depth > maxDepth) {
      throw new DecodeError("proto: exceeded max depth");
    }
  }

  leave(): void {
    this.#depth--;
  }

  /** Reads a tag: the field number times eight plus the wire type. */
  tag(end: number): number {
    const tag = this.varint(end);
    if (tag < 8 || tag > 0xffffffff) {
      throw new DecodeError(`proto: illegal tag ${Math.trunc(tag / 8)} (wire type ${tag % 8})`);
    }
    return tag;
  }

  /** Reads an unsigned integer, rounded beyond 2^53; lengths, tags and booleans never are that large. */
  varint(end: number): number {
    const first = this.#byte(end);
    if (first < 0x80) {
      return first;
    }
    let value = first & 0x7f;
    let factor = 0x80;
    for (let i = 1; i < 10; i++) {
      const byte = this.#byte(end);
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) {
        return value;
      }
      factor *= 0x80;
    }
    throw new DecodeError("proto: integer overflow");
  }

  /** Reads the low 32 bits, signed. */
  int32(end: number): number {
    const first = this.#buffer[this.at] as number;
    if (this.at < end && first < 0x80) {
      this.at++;
      return first;
    }
    const second = this.#buffer[this.at + 1] as number;
    if (this.at + 1 < end && second < 0x80) {
      this.at += 2;
      return (second << 7) | (first & 0x7f);
    }
    return Number(BigInt.asIntN(32, this.#varint64(end)));
  }

  /** Reads a signed integer; a bigint beyond 2^53. */
  int64(end: number): number | bigint {
    const first = this.#buffer[this.at];
    if (first !== undefined && first < 0x80 && this.at < end) {
      this.at++;
      return first;
    }
    const value = BigInt.asIntN(64, this.#varint64(end));
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }

  double(end: number): number {
    this.#require(8, end);
    const value = this.#buffer.readDoubleLE(this.at);
    this.at += 8;
    return value;
  }

  float(end: number): number {
    this.#require(4, end);
    const value = this.#buffer.readFloatLE(this.at);
    this.at += 4;
    return value;
  }

  /** Reads a length and returns the end of the value behind it. */
  block(end: number): number {
    const length = this.varint(end);
    if (length > 0x7fffffff) {
      throw new DecodeError("proto: negative length found during unmarshaling");
    }
    this.#require(length, end);
    return this.at + length;
  }

  string(end: number): string {
    const stop = this.block(end);
    const text = this.#buffer.utf8Slice(this.at, stop);
    this.at = stop;
    return text;
  }

  /** Reads bytes as a view, not a copy. */
  bytes(end: number): Buffer {
    const stop = this.block(end);
    const view = this.#buffer.subarray(this.at, stop);
    this.at = stop;
    return view;
  }

  /** Skips the value of an unknown field. */
  skip(tag: number, end: number): void {
    let groups = 0;
    let wireType = tag % 8;
    for (;;) {
      switch (wireType) {
        case 0:
          this.#varint64(end);
          break;
        case 1:
          this.#advance(8, end);
          break;
        case 2:
          this.at = this.block(end);
          break;
        case 3:
          groups++;
          break;
        case 4:
          if (groups === 0) {
            throw new DecodeError("proto: unexpected end of group");
          }
          groups--;
          break;
        case 5:
          this.#advance(4, end);
          break;
        default:
          throw new DecodeError(`proto: illegal wireType ${wireType}`);
      }
      if (groups === 0) {
        return;
      }
      wireType = this.tag(end) % 8;
    }
  }

  #varint64(end: number): bigint {
    let low = 0;
    let factor = 1;
    // Seven bytes fit a number; what follows needs a bigint.
    for (let i = 0; i < 7; i++) {
      const byte = this.#byte(end);
      low += (byte & 0x7f) * factor;
      if (byte < 0x80) {
        return BigInt(low);
      }
      factor *= 0x80;
    }
    let high = 0n;
    for (let shift = 0n; shift < 21n; shift += 7n) {
      const byte = this.#byte(end);
      high |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) {
        return BigInt(low) | (high << 49n);
      }
    }
    throw new DecodeError("proto: integer overflow");
  }

  #byte(end: number): number {
    if (this.at >= end) {
      throw new DecodeError("unexpected EOF");
    }
    return this.#buffer[this.at++] as number;
  }

  #advance(size: number, end: number): void {
    this.#require(size, end);
    this.at += size;
  }

  #require(size: number, end: number): void {
    if (size > end - this.at) {
      throw new DecodeError("unexpected EOF");
    }
  }
}
