import { type CheckedExpression, checkExpression } from "./checker/check-expression.js";
import type { Declarations } from "./checker/declarations.js";
import { estimateCost, type SizeEstimator } from "./cost/estimate-cost.js";
import type { Range } from "./cost/range.js";
import { compileProgram, type Program } from "./evaluation/compile-program.js";
import type { ObserveExpression } from "./evaluation/evaluation-observer.js";
import { parseExpression } from "./syntax/parse-expression.js";
import type { CelType } from "./types/cel-type.js";

/** An expression that is ready to be evaluated. */
export interface CompiledExpression {
  readonly source: string;
  /** The type of its value. */
  readonly type: CelType;
  /** The nodes with their types, for those who show or analyse an expression. */
  readonly checked: CheckedExpression;
  readonly evaluate: Program;
  /** Estimates the cost of every evaluation, from bounds of the sizes of what the variables hold. */
  estimate(sizeOf: SizeEstimator): Range;
}

/**
 * Parses and checks an expression and makes it ready to be evaluated. Throws CompileError with all mistakes, in v1.29's
 * texts, and ProgramError if a part that is known before evaluation fails. `declarations` has the functions, types and
 * variables that it may use; see `environment`. `observe` returns the observer of its evaluations.
 */
export function compileExpression(
  source: string,
  declarations: Declarations,
  observe?: ObserveExpression,
): CompiledExpression {
  const checked = checkExpression(parseExpression(source), declarations);
  return {
    source,
    type: checked.type,
    checked,
    evaluate: compileProgram(checked, observe?.(checked)),
    estimate: (sizeOf) => estimateCost(checked, sizeOf),
  };
}
