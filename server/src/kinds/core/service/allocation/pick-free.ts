import type { Bitmap } from "./bitmap.js";

const minWindow = 4096;
/** Numbers in the window per taken number. */
const windowPerTaken = 4;

/**
 * Picks a free number at random, so that one that has just been freed is not reused at once. The first `reserved`
 * numbers come last. v1.29 picks from the whole range; this picks from a window at its low end that grows with the
 * number of taken ones, because a bitmap is stored only up to its highest bit, and is written with every allocation.
 */
export function pickFree(taken: Bitmap, reserved: number, random: () => number): number | undefined {
  const { size, count } = taken;
  const end = Math.min(size, reserved + Math.max(minWindow, count * windowPerTaken));
  return (
    pickBetween(taken, reserved, end, random) ?? taken.firstFree(end, size) ?? pickBetween(taken, 0, reserved, random)
  );
}

function pickBetween(taken: Bitmap, from: number, to: number, random: () => number): number | undefined {
  const start = from + Math.floor(random() * (to - from));
  return taken.firstFree(start, to) ?? taken.firstFree(from, start);
}
