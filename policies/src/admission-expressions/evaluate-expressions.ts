import type { MaybePromise, StepContext } from "@gatehouse/envelopes/scheduling";
import {
  type CelValue,
  type Evaluation,
  EvaluationProgress,
  type Variables,
  workOfLastEvaluation,
} from "../cel/index.js";
import { awaitAnswers, type EndedEvaluation } from "./await-answers.js";
import type { TypedExpression } from "./compile-typed-expression.js";

/** The cost that one evaluation may have. */
export const expressionCostLimit = 1_000_000;

/** The cost of an evaluation after which other work may run, and the work: about a millisecond. */
const longEvaluation = 10_000;
const muchWork = 1_000_000;

const settled = Promise.resolve();

/** An expression of a list, with its source as errors quote it. */
export type ListedExpression = TypedExpression & { readonly source: string };

/** The value of an expression, or the text of the error that it has instead. */
export type ExpressionResult =
  | { readonly value: CelValue; readonly error?: undefined }
  | { readonly value?: undefined; readonly error: string };

/** The results of a list of expressions in their order, or the problem that ended the evaluation of all. */
export type ListResult =
  | { readonly results: readonly ExpressionResult[]; readonly remainingBudget: number; readonly problem?: undefined }
  | { readonly results?: undefined; readonly problem: string };

/** The circumstances of an evaluation of a list. */
export interface ListContext {
  readonly variables: Variables;
  /** The cost that all expressions may have together. */
  readonly budget: number;
  /** The write that the expressions are about: they end with it, and let other work run between them. */
  readonly write: StepContext;
  /** Returns what composed variables have cost since the last call. */
  readonly takeVariablesCost?: () => number;
}

/**
 * Evaluates expressions one after the other within a budget, which ends the evaluation of all when it is used up.
 * Synchronous where none takes long or waits for an answer from outside. Rejects with 504 when the write ends.
 */
export function evaluateExpressions(
  expressions: readonly ListedExpression[],
  context: ListContext,
): MaybePromise<ListResult> {
  return new ListEvaluation(expressions, context).run();
}

/** The state of an evaluation of a list. */
class ListEvaluation {
  readonly #expressions: readonly ListedExpression[];
  readonly #context: ListContext;
  readonly #results: ExpressionResult[] = [];
  readonly #progress: EvaluationProgress;
  #budget: number;

  constructor(expressions: readonly ListedExpression[], context: ListContext) {
    this.#expressions = expressions;
    this.#context = context;
    this.#progress = new EvaluationProgress(() => context.write.yield() ?? settled);
    this.#budget = context.budget;
  }

  /** Evaluates what is left. */
  run(): MaybePromise<ListResult> {
    while (this.#results.length < this.#expressions.length && this.#budget >= 0) {
      const waiting = this.#next(this.#expressions[this.#results.length] as ListedExpression);
      if (waiting !== undefined) {
        return waiting.then(() => this.run());
      }
    }
    return this.#budget < 0
      ? { problem: "validation failed due to running out of cost budget, no further validation rules will be run" }
      : { results: this.#results, remainingBudget: this.#budget };
  }

  #next({ expression, problem, source }: ListedExpression): Promise<void> | undefined {
    if (expression === undefined) {
      this.#results.push({ error: `compilation error: ${problem}` });
      return undefined;
    }
    const { variables, write } = this.#context;
    const evaluate = (): Evaluation => expression.evaluate(variables, expressionCostLimit, this.#progress);
    const evaluation = evaluate();
    if (evaluation.pending === undefined) {
      return this.#note(evaluation, source, workOfLastEvaluation() > muchWork);
    }
    return awaitAnswers(evaluation.pending, evaluate, write.signal).then((ended) => this.#note(ended, source, true));
  }

  #note({ value, error, cost }: EndedEvaluation, source: string, hasTakenLong: boolean): Promise<void> | undefined {
    const { write, takeVariablesCost } = this.#context;
    const total = cost + (takeVariablesCost?.() ?? 0);
    this.#budget -= total;
    this.#results.push(
      value === undefined ? { error: `expression '${source}' resulted in error: ${error?.message}` } : { value },
    );
    return hasTakenLong || total > longEvaluation ? write.yield() : undefined;
  }
}
