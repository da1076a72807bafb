import { addRanges, exactly, multiplyRanges, type Range, scaleRange } from "../../cost/range.js";
import { costSize } from "../../values/size.js";
import type { CelValue } from "../../values/value.js";
import type { Overload } from "../library.js";

type Cost = NonNullable<Overload["cost"]>;
type Estimate = NonNullable<Overload["estimate"]>;
type CostAndEstimate = Pick<Required<Overload>, "cost" | "estimate">;

/** The cost of looking at one character. */
const traversalFactor = 0.1;
/** The cost of one character of a pattern, for each ten characters that it is matched against. */
const patternFactor = 0.25;

function traversal(size: number): number {
  return Math.ceil(size * traversalFactor);
}

function smallerOf(left: bigint, right: bigint): bigint {
  if (left < right) {
    return left;
  }
  return right;
}

function sizeAt(args: readonly CelValue[], index: number): number {
  return costSize(args[index] as CelValue);
}

function rangeAt(sizes: readonly Range[], index: number): Range {
  return sizes[index] as Range;
}

/** The cost of comparing two values: that of looking at the smaller one. */
export const comparisonCost: CostAndEstimate = {
  cost: (args) => traversal(Math.min(sizeAt(args, 0), sizeAt(args, 1))),
  estimate: (sizes) => {
    const max = smallerOf(rangeAt(sizes, 0).max, rangeAt(sizes, 1).max);
    return { cost: scaleRange({ min: max > 0n ? 1n : 0n, max }, traversalFactor) };
  },
};

/** The cost of making one string or byte sequence of two. */
export const concatenationCost: CostAndEstimate = {
  cost: (args) => traversal(sizeAt(args, 0) + sizeAt(args, 1)),
  estimate: (sizes) => {
    const resultSize = addRanges(rangeAt(sizes, 0), rangeAt(sizes, 1));
    return { cost: scaleRange(resultSize, traversalFactor), resultSize };
  },
};

/** Estimates the concatenation of lists, which costs 1. */
export const listConcatenationEstimate: Estimate = (sizes) => ({
  cost: exactly(1n),
  resultSize: addRanges(rangeAt(sizes, 0), rangeAt(sizes, 1)),
});

/** The cost of looking for an element of a list. */
export const membershipCost: CostAndEstimate = {
  cost: (args) => sizeAt(args, 1),
  estimate: (sizes) => ({ cost: rangeAt(sizes, 1) }),
};

/** The cost of `startsWith` and `endsWith`: by the text, but estimated by what it is compared with, as in v1.29. */
export const affixCost: CostAndEstimate = {
  cost: (args) => traversal(sizeAt(args, 0)),
  estimate: (sizes) => ({ cost: scaleRange(rangeAt(sizes, 1), traversalFactor) }),
};

/** The cost of looking for a string in another. */
export const searchCost: CostAndEstimate = {
  cost: (args) => traversal(sizeAt(args, 0)) * traversal(sizeAt(args, 1)),
  estimate: (sizes) => ({
    cost: multiplyRanges(
      scaleRange(rangeAt(sizes, 0), traversalFactor),
      scaleRange(rangeAt(sizes, 1), traversalFactor),
    ),
  }),
};

/** The cost of matching a pattern. */
export const patternCost: CostAndEstimate = {
  cost: (args) => traversal(1 + sizeAt(args, 0)) * Math.ceil(sizeAt(args, 1) * patternFactor),
  estimate: (sizes) => ({
    cost: multiplyRanges(
      scaleRange(addRanges(rangeAt(sizes, 0), exactly(1n)), traversalFactor),
      scaleRange(rangeAt(sizes, 1), patternFactor),
    ),
  }),
};

const conversionCost: Cost = (args) => traversal(sizeAt(args, 0));

/** The cost of encoding a string, of which a character takes up to four bytes. */
export const encodingCost: CostAndEstimate = {
  cost: conversionCost,
  estimate: (sizes) => {
    const { min, max } = rangeAt(sizes, 0);
    return {
      cost: scaleRange({ min, max }, traversalFactor),
      resultSize: { min, max: BigInt.asUintN(64, max * 4n) },
    };
  },
};

/** The cost of decoding a string. */
export const decodingCost: CostAndEstimate = {
  cost: conversionCost,
  estimate: (sizes) => {
    const { min, max } = rangeAt(sizes, 0);
    return { cost: scaleRange({ min, max }, traversalFactor), resultSize: { min: min / 4n, max } };
  },
};
