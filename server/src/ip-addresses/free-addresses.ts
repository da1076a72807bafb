import type { HostRange } from "./host-range.js";

/**
 * Yields the addresses of a range in the order in which they are tried: those above the reserved ones from a random one
 * on, then the reserved ones likewise. `random` returns a number from 0 up to 1.
 */
export function* addressesToTry(range: HostRange, random: () => number): Generator<bigint> {
  const { first, last } = range;
  const upper = first + range.reserved;
  yield* around(upper, last, random);
  yield* around(first, upper - 1n < last ? upper - 1n : last, random);
}

/** Yields the addresses from `first` to `last`, beginning at a random one. */
function* around(first: bigint, last: bigint, random: () => number): Generator<bigint> {
  if (last < first) {
    return;
  }
  const start = first + pick(last - first + 1n, random);
  for (let address = start; address <= last; address++) {
    yield address;
  }
  for (let address = first; address < start; address++) {
    yield address;
  }
}

/** Number of bits that one random number decides. */
const bitsPerDraw = 32n;

/** Returns a random number from 0 up to `size`, which may be larger than what one random number can tell apart. */
function pick(size: bigint, random: () => number): bigint {
  let drawn = 0n;
  let space = 1n;
  // Twice the bits of the size, so that what the remainder prefers does not matter.
  while (space < size * size) {
    drawn = (drawn << bitsPerDraw) | BigInt(Math.floor(random() * 2 ** Number(bitsPerDraw)));
    space <<= bitsPerDraw;
  }
  return drawn % size;
}
