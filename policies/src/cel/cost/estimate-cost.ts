import type { CheckedExpression } from "../checker/check-expression.js";
import { CostEstimator } from "./cost-estimator.js";
import type { Range } from "./range.js";
import type { SizeEstimator } from "./size-estimator.js";

export type { SizeEstimator } from "./size-estimator.js";

/** Estimates the cost of every evaluation of an expression, as v1.29 does. */
export function estimateCost(checked: CheckedExpression, sizeOf: SizeEstimator): Range {
  return new CostEstimator(checked, sizeOf).costOf(checked.parsed.root);
}
