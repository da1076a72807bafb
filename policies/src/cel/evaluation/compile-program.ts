import type { CheckedExpression } from "../checker/check-expression.js";
import type { EvaluationError } from "../values/evaluation-error.js";
import type { CelValue } from "../values/value.js";

/** The values of variables, by name. A variable that is left out has no value, and expressions that use it fail. */
export type Variables = Readonly<Record<string, CelValue | undefined>>;

/**
 * The outcome of an evaluation, and what it has cost. `pending`: a function waits for an answer from outside; evaluate
 * again, with the same variables, when the promise is settled.
 */
export type Evaluation =
  | { readonly value: CelValue; readonly error?: undefined; readonly pending?: undefined; readonly cost: number }
  | { readonly value?: undefined; readonly error: EvaluationError; readonly pending?: undefined; readonly cost: number }
  | {
      readonly value?: undefined;
      readonly error?: undefined;
      readonly pending: Promise<unknown>;
      readonly cost: number;
    };

/** Evaluates an expression; ends with CostLimitExceeded when that costs more than `costLimit`. Never throws. */
export type Program = (variables: Variables, costLimit: number) => Evaluation;

/** Compiles a checked expression to closures. */
export function compileProgram(checked: CheckedExpression): Program {
  throw new Error(`to be written: ${checked}`);
}
