import type { CheckedExpression } from "../checker/check-expression.js";
import { CostLimitExceeded, WorkInterruption, WorkLimitExceeded } from "../values/evaluation-error.js";
import { PendingAnswer } from "../values/pending-answer.js";
import { beginWork, endWork } from "../values/work.js";
import type { Evaluation } from "./evaluation.js";
import type { EvaluationObserver } from "./evaluation-observer.js";
import type { EvaluationProgress } from "./evaluation-progress.js";
import { Frame, isError, type Variables } from "./frame.js";
import { ProgramCompiler } from "./program-compiler.js";

export type { Evaluation } from "./evaluation.js";
export type { Variables } from "./frame.js";

/**
 * Evaluates an expression; ends with CostLimitExceeded when that costs more than `costLimit`. Never throws. With `progress` an
 * evaluation that takes long gives way to other work: it is pending, and goes on when it is repeated with the same progress.
 */
export type Program = (variables: Variables, costLimit: number, progress?: EvaluationProgress) => Evaluation;

/**
 * Compiles a checked expression to closures. Throws ProgramError if a part that is known before evaluation fails.
 * `observer`: is told of all evaluations, node by node; they take longer, and have the same results and costs.
 */
export function compileProgram(checked: CheckedExpression, observer?: EvaluationObserver): Program {
  const program = compileClosures(checked, observer);
  return observer === undefined
    ? program
    : (variables, costLimit) => {
        // In one go, so that the observer sees each node once.
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
  return (variables, costLimit, progress) => {
    const frame = idle ?? new Frame(slotCount);
    idle = undefined;
    beginWork();
    // Without loops there is no place to go on from.
    frame.begin(variables, costLimit, slotCount === 0 ? undefined : progress);
    try {
      const outcome = run(frame);
      frame.progress?.clear();
      return isError(outcome) ? { error: outcome, cost: frame.cost } : { value: outcome, cost: frame.cost };
    } catch (thrown) {
      if (!(thrown instanceof PendingAnswer)) {
        frame.progress?.clear();
      }
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
