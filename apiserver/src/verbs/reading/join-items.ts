/** The parts of a list document. Items are the JSON of objects, starting with their kind and apiVersion. */
export interface ItemsToJoin {
  /** The text up to the first item, the opening bracket included. */
  readonly head: Buffer;
  /** The text behind the last item, the closing bracket included; `]}` when absent. */
  readonly tail?: Buffer;
  readonly count: number;
  readonly lengthAt: (index: number) => number;
  /** Copies an item from its byte `from` on to `at` in `target`. */
  readonly copyTo: (index: number, target: Buffer, at: number, from: number) => void;
  /** Length of `{"kind":"Pod","apiVersion":"v1",`, which items of a typed list do not have. */
  readonly typeMetaLength: number;
}

/** Bytes of a piece: enough that the cost of a write does not show, and few enough to stay in the processor's cache. */
const pieceBytes = 128 * 1024;

const comma = 0x2c;
const openingBrace = 0x7b;
const plainTail = Buffer.from("]}");

/** Returns length of the joined document. */
export function joinedLength({ head, tail = plainTail, count, lengthAt, typeMetaLength }: ItemsToJoin): number {
  // Each item loses its kind and apiVersion but for the brace, and gains a comma, but for the first.
  let length = head.length + tail.length + Math.max(0, count - 1);
  for (let index = 0; index < count; index++) {
    length += lengthAt(index) - typeMetaLength + 1;
  }
  return length;
}

/**
 * Yields the document in pieces. They share one buffer: each piece is valid only until the next one is taken, because a
 * fresh buffer for each costs more than filling it.
 */
export function* joinItems(items: ItemsToJoin): Generator<Buffer> {
  const { head, tail = plainTail, count, lengthAt, copyTo, typeMetaLength } = items;
  let buffer = Buffer.allocUnsafeSlow(Math.min(Math.max(pieceBytes, head.length, tail.length), joinedLength(items)));
  let at = head.copy(buffer, 0);
  for (let index = 0; index < count; index++) {
    const length = lengthAt(index) - typeMetaLength;
    const needed = length + 2;
    if (at + needed > buffer.length) {
      yield buffer.subarray(0, at);
      at = 0;
      if (needed > buffer.length) {
        buffer = Buffer.allocUnsafeSlow(needed);
      }
    }
    if (index > 0) {
      buffer[at++] = comma;
    }
    buffer[at++] = openingBrace;
    copyTo(index, buffer, at, typeMetaLength);
    at += length;
  }
  if (at + tail.length > buffer.length) {
    yield buffer.subarray(0, at);
    at = 0;
  }
  at += tail.copy(buffer, at);
  yield buffer.subarray(0, at);
}
