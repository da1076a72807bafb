import type { KeyInterval } from "../keyspace.js";
import { maxKeyBytes } from "../store.js";

const zero = Buffer.of(0);

/** Returns the keys that a request of etcd means by `key` and `rangeEnd`. */
export function intervalOf(key: Buffer, rangeEnd: Buffer): KeyInterval {
  if (rangeEnd.length === 0) {
    return { start: clip(key), end: clip(Buffer.concat([key, zero])) };
  }
  return isOpenEnd(rangeEnd) ? { start: clip(key) } : { start: clip(key), end: clip(rangeEnd) };
}

/** Reports whether a range end stands for all keys that follow. */
export function isOpenEnd(rangeEnd: Buffer): boolean {
  return rangeEnd.length === 1 && rangeEnd[0] === 0;
}

/** Cuts a bound to what the store can compare. No key is longer, so none lies between the cut one and the whole one. */
function clip(bound: Buffer): Buffer {
  return bound.length > maxKeyBytes ? Buffer.concat([bound.subarray(0, maxKeyBytes), zero]) : bound;
}

/** Reports whether a key is within an interval. */
export function isWithin({ start, end }: KeyInterval, key: Buffer): boolean {
  return Buffer.compare(key, start) >= 0 && (end === undefined || Buffer.compare(key, end) < 0);
}
