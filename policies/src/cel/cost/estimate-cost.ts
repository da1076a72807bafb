import type { CheckedExpression } from "../checker/check-expression.js";
import type { Range } from "./range.js";

/**
 * Returns bounds of the size of the value at a path of fields below a variable: of a string in characters, of a list in
 * elements, of a map in entries. The elements of a list are at `@items`, the keys and values of a map at `@keys` and
 * `@values`. Undefined: nothing is known.
 */
export type SizeEstimator = (path: readonly string[]) => Range | undefined;

/** Estimates the cost of every evaluation of an expression, as v1.29 does. */
export function estimateCost(checked: CheckedExpression, sizeOf: SizeEstimator): Range {
  throw new Error(`to be written: ${checked} ${sizeOf}`);
}
