import type { HostRange } from "./host-range.js";

/** The way in which free addresses are looked for. */
export interface FreeAddressOptions {
  /** Returns a number from 0 up to 1. */
  readonly random: () => number;
  /** Returns the lowest address from `first` to `last` that seems to be free; undefined if none does. */
  readonly nextFree: (first: bigint, last: bigint) => bigint | undefined;
}

/**
 * Yields the free addresses of a range in the order in which they are tried: those above the reserved ones from a random one
 * on, then the reserved ones likewise.
 */
export function* addressesToTry(range: HostRange, options: FreeAddressOptions): Generator<bigint> {
  const { first, last } = range;
  const upper = first + range.reserved;
  yield* around(upper, last, options);
  yield* around(first, upper - 1n < last ? upper - 1n : last, options);
}

/** Yields the free addresses from `first` to `last`, beginning at a random one. */
function* around(first: bigint, last: bigint, { random, nextFree }: FreeAddressOptions): Generator<bigint> {
  if (last < first) {
    return;
  }
  const start = first + pick(last - first + 1n, random);
  for (let free = nextFree(start, last); free !== undefined; free = nextFree(free + 1n, last)) {
    yield free;
  }
  for (let free = nextFree(first, start - 1n); free !== undefined; free = nextFree(free + 1n, start - 1n)) {
    yield free;
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
