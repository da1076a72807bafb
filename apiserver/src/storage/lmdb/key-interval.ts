import { prefixEnd } from "./layout.js";

/** Keys from `start` on and before `end`, in the order of their bytes; without `end`, all those that follow. */
export interface KeyInterval {
  readonly start: Buffer;
  readonly end?: Buffer;
}

/** Returns the interval of the keys that begin with `prefix`. */
export function intervalOfPrefix(prefix: Buffer): KeyInterval {
  const end = prefixEnd(prefix);
  return { start: prefix, ...(end === undefined ? {} : { end }) };
}

/** Returns the interval of one key. */
export function intervalOfKey(key: Buffer): KeyInterval {
  return { start: key, end: Buffer.concat([key, Buffer.of(0)]) };
}

/** Reports whether the key that stands in `bytes` between two indices is within an interval. */
export function isWithin({ start, end }: KeyInterval, bytes: Buffer, from: number, to: number): boolean {
  return (
    bytes.compare(start, 0, start.length, from, to) >= 0 &&
    (end === undefined || bytes.compare(end, 0, end.length, from, to) < 0)
  );
}
