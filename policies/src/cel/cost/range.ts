/** An estimate: at least `min`, at most `max`. Of cost, or of a size (characters, bytes, elements, entries). 64 bits, unsigned. */
export interface Range {
  readonly min: bigint;
  readonly max: bigint;
}

const maxUint64 = 2n ** 64n - 1n;

/** The range of a size of which nothing is known. */
export const unknownSize: Range = { min: 0n, max: maxUint64 };

/** Returns the range of exactly one number. */
export function exactly(value: bigint): Range {
  return { min: value, max: value };
}

/** Returns the sum; a sum that does not fit into 64 bits is the largest number, as in v1.29. */
export function addRanges(a: Range, b: Range): Range {
  return { min: clamp(a.min + b.min), max: clamp(a.max + b.max) };
}

/** Returns the product, within 64 bits. */
export function multiplyRanges(a: Range, b: Range): Range {
  return { min: clamp(a.min * b.min), max: clamp(a.max * b.max) };
}

/** Returns the range that holds both. */
export function unionOfRanges(a: Range, b: Range): Range {
  // biome-ignore lint/complexity/useMathMinMax: Math.min and Math.max take no bigint.
  return { min: a.min < b.min ? a.min : b.min, max: a.max > b.max ? a.max : b.max };
}

/** Returns the product with a factor, rounded up, within 64 bits: the cost of a size at so much for each unit. */
export function scaleRange(range: Range, factor: number): Range {
  return { min: scale(range.min, factor), max: scale(range.max, factor) };
}

// Numbers and not bigints, since v1.29 computes with floating point and rounds as that does.
function scale(value: bigint, factor: number): bigint {
  return clamp(BigInt(Math.ceil(Number(value) * factor)));
}

function clamp(value: bigint): bigint {
  return value > maxUint64 ? maxUint64 : value;
}
