import type { CelValue, Evaluation, Variables } from "@gatehouse/policies/cel";
import type { MaybePromise } from "../../request/handler.js";
import type { AdmissionExpression } from "./compile-admission-expression.js";
import { evaluateAwaiting } from "./evaluate-awaiting.js";

/** The cost that one evaluation may have. */
export const expressionCostLimit = 1_000_000;

/** An expression of a list, with its source as errors quote it. */
export type ListedExpression = AdmissionExpression & { readonly source: string };

/** The value of an expression, or the text of the error that it has instead. */
export type ExpressionResult =
  | { readonly value: CelValue; readonly error?: undefined }
  | { readonly value?: undefined; readonly error: string };

/** The results of a list of expressions in their order, or the problem that ended the evaluation of all. */
export type ListResult =
  | {
      readonly results: readonly ExpressionResult[];
      readonly remainingBudget: number;
      readonly problem?: undefined;
    }
  | { readonly results?: undefined; readonly problem: string };

/** The circumstances of an evaluation of a list. */
export interface ListContext {
  readonly variables: Variables;
  /** The cost that all expressions may have together. */
  readonly budget: number;
  /** Aborts when nobody waits for the results any more. */
  readonly signal: AbortSignal;
  /** Returns what composed variables have cost since the last call. */
  readonly takeVariablesCost?: () => number;
}

/**
 * Evaluates expressions one after the other within a budget, which ends the evaluation of all when it is used up.
 * Synchronous where none waits for an answer from outside. Rejects with 504 when the signal aborts.
 */
export function evaluateExpressions(
  expressions: readonly ListedExpression[],
  context: ListContext,
): MaybePromise<ListResult> {
  return evaluateFrom(expressions, context, [], context.budget);
}

function evaluateFrom(
  expressions: readonly ListedExpression[],
  context: ListContext,
  results: ExpressionResult[],
  budget: number,
): MaybePromise<ListResult> {
  let remaining = budget;
  for (let index = results.length; index < expressions.length; index++) {
    const { expression, problem, source } = expressions[index] as ListedExpression;
    if (expression === undefined) {
      results.push({ error: `compilation error: ${problem}` });
      continue;
    }
    const ended = evaluateAwaiting(() => expression.evaluate(context.variables, expressionCostLimit), context.signal);
    if (ended instanceof Promise) {
      return ended.then((evaluation) => {
        const left = charge(evaluation, context, remaining);
        if (left === undefined) {
          return { problem: outOfBudget };
        }
        results.push(resultOf(evaluation, source));
        return evaluateFrom(expressions, context, results, left);
      });
    }
    const left = charge(ended, context, remaining);
    if (left === undefined) {
      return { problem: outOfBudget };
    }
    results.push(resultOf(ended, source));
    remaining = left;
  }
  return { results, remainingBudget: remaining };
}

const outOfBudget = "validation failed due to running out of cost budget, no further validation rules will be run";

/** Returns the budget after an evaluation; undefined if it was not enough. */
function charge({ cost }: Evaluation, { takeVariablesCost }: ListContext, budget: number): number | undefined {
  const left = budget - cost - (takeVariablesCost?.() ?? 0);
  return left < 0 ? undefined : left;
}

function resultOf({ value, error }: Evaluation, source: string): ExpressionResult {
  return value === undefined ? { error: `expression '${source}' resulted in error: ${error?.message}` } : { value };
}
