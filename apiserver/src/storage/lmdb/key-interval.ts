import type { KeyInterval } from "../keyspace.js";
import { prefixEnd } from "./layout.js";

/** Returns the interval of the keys that begin with `prefix`. */
export function intervalOfPrefix(prefix: Buffer): KeyInterval {
  const end = prefixEnd(prefix);
  return { start: prefix, ...(end === undefined ? {} : { end }) };
}

/** Reports whether an interval can have no key. */
export function isEmpty({ start, end }: KeyInterval): boolean {
  return end !== undefined && Buffer.compare(start, end) >= 0;
}

/** Reports whether the key that stands in `bytes` between two indices is within an interval. */
export function isWithin({ start, end }: KeyInterval, bytes: Buffer, from: number, to: number): boolean {
  return (
    bytes.compare(start, 0, start.length, from, to) >= 0 &&
    (end === undefined || bytes.compare(end, 0, end.length, from, to) < 0)
  );
}
