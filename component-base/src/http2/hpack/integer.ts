import { errorCode, Http2Error } from "../http2-error.js";

/** A place in a block of fields. */
export interface BlockCursor {
  readonly bytes: Buffer;
  at: number;
}

/** Largest integer that is read: indexes, sizes and lengths are all far below. */
const largest = 2 ** 28;

/** Reads an integer whose first `prefixBits` bits are in the byte at the cursor (RFC 7541, section 5.1). */
export function readInteger(cursor: BlockCursor, prefixBits: number): number {
  const { bytes } = cursor;
  const mask = (1 << prefixBits) - 1;
  let value = nextByte(cursor) & mask;
  if (value < mask) {
    return value;
  }
  for (let factor = 1; ; factor *= 128) {
    if (cursor.at >= bytes.length) {
      throw cutOff();
    }
    const byte = nextByte(cursor);
    value += (byte & 127) * factor;
    if (value > largest) {
      throw new Http2Error(errorCode.compressionError, "an integer of a block of fields is too large");
    }
    if (byte < 128) {
      return value;
    }
  }
}

/** Returns the error of a block that ends amidst a field. */
export function cutOff(): Http2Error {
  return new Http2Error(errorCode.compressionError, "a block of fields is cut off");
}

function nextByte(cursor: BlockCursor): number {
  const byte = cursor.bytes[cursor.at++];
  if (byte === undefined) {
    throw cutOff();
  }
  return byte;
}
