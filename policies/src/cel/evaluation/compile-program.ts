import type { CheckedExpression } from "../checker/check-expression.js";
import {
  CostLimitExceeded,
  type EvaluationError,
  WorkInterruption,
  WorkLimitExceeded,
} from "../values/evaluation-error.js";
import { PendingAnswer } from "../values/pending-answer.js";
import type { CelValue } from "../values/value.js";
import { beginWork, endWork } from "../values/work.js";
import { Frame, isError, type Variables } from "./frame.js";
import { ProgramCompiler } from "./program-compiler.js";

export type { Variables } from "./frame.js";

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

/** Compiles a checked expression to closures. Throws ProgramError if a part that is known before evaluation fails. */
export function compileProgram(checked: CheckedExpression): Program {
  const compiler = new ProgramCompiler(checked);
  const { run } = compiler.compile(checked.parsed.root);
  const { slotCount } = compiler;
  /** The frame of the last evaluation; undefined while one is running, which may need to evaluate this program again. */
  let idle: Frame | undefined = new Frame(slotCount);
  return (variables, costLimit) => {
    const frame = idle ?? new Frame(slotCount);
    idle = undefined;
    frame.begin(variables, costLimit);
    beginWork();
    try {
      const outcome = run(frame);
      return isError(outcome) ? { error: outcome, cost: frame.cost } : { value: outcome, cost: frame.cost };
    } catch (thrown) {
      return interrupted(thrown, frame.cost);
    } finally {
      endWork();
      frame.end();
      idle = frame;
    }
  };
}

function interrupted(thrown: unknown, cost: number): Evaluation {
  if (thrown instanceof PendingAnswer) {
    return { pending: thrown.answer, cost };
  }
  if (thrown instanceof CostLimitExceeded) {
    return { error: thrown, cost };
  }
  if (thrown instanceof WorkInterruption || thrown instanceof RangeError) {
    // A RangeError: a text that is longer than any that JavaScript holds.
    return { error: new WorkLimitExceeded(), cost };
  }
  throw thrown;
}
