import { randomFillSync } from "node:crypto";

const pool = Buffer.allocUnsafeSlow(16 * 1024);
let taken = pool.length;

/**
 * Returns random bytes for nonces, each byte of the generator once. A call of the generator for a few bytes costs as much
 * as for thousands, so they are drawn ahead. Not for keys: what is drawn ahead stays in memory.
 */
export function takeRandom(bytes: number): Buffer {
  if (taken + bytes > pool.length) {
    randomFillSync(pool);
    taken = 0;
  }
  const random = Buffer.from(pool.subarray(taken, taken + bytes));
  taken += bytes;
  return random;
}
