import type { CheckedExpression } from "../checker/check-expression.js";
import { CostLimitExceeded, WorkInterruption, WorkLimitExceeded } from "../values/evaluation-error.js";
import { PendingAnswer } from "../values/pending-answer.js";
import { beginWork, endWork } from "../values/work.js";
import type { Evaluation } from "./evaluation.js";
import type { EvaluationObserver } from "./evaluation-observer.js";
import { Frame, isError, type Variables } from "./frame.js";
import { ProgramCompiler } from "./program-compiler.js";

export type { Evaluation } from "./evaluation.js";
export type { Variables } from "./frame.js";

/** Evaluates an expression; ends with CostLimitExceeded when that costs more than `costLimit`. Never throws. */
export type Program = (variables: Variables, costLimit: number) => Evaluation;

/**
 * Compiles a checked expression to closures. Throws ProgramError if a part that is known before evaluation fails.
 * `observer`: is told of all evaluations, node by node; they take longer, and have the same results and costs.
 */
export function compileProgram(checked: CheckedExpression, observer?: EvaluationObserver): Program {
  const program = compileClosures(checked, observer);
  return observer === undefined
    ? program
    : (variables, costLimit) => {
        observer.begin();
        const evaluation = program(variables, costLimit);
        observer.end(evaluation);
        return evaluation;
      };
}

function compileClosures(checked: CheckedExpression, observer: EvaluationObserver | undefined): Program {
  const compiler = new ProgramCompiler(checked, observer);
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
