import type { EvaluationError } from "../values/evaluation-error.js";
import type { CelValue } from "../values/value.js";

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
