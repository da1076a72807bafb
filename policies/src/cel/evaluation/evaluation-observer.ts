import type { CheckedExpression } from "../checker/checked-expression.js";
import type { Comprehension, Expression } from "../syntax/expression.js";
import type { CelValue } from "../values/value.js";
import type { Evaluation } from "./evaluation.js";
import type { Outcome, Step } from "./frame.js";
import type { Plan } from "./plan.js";

/**
 * A listener to the evaluations of one expression. It is not told of literals and of what is computed from literals alone,
 * nor of the inner selections of a path: of `object.spec.replicas` it hears as one node. Nodes of one evaluation are
 * nested; a node that is evaluated when the cost limit is reached is entered and never left.
 */
export interface EvaluationObserver {
  /** An evaluation of the expression begins. It may begin within another one, if a variable uses the expression again. */
  begin(): void;
  /** The evaluation that has begun last ends. */
  end(evaluation: Evaluation): void;
  /** The evaluation of a node begins. */
  enter(node: Expression): void;
  /** The evaluation of the node that was entered last ends with a value, or with an error in its place. */
  leave(node: Expression, outcome: Outcome): void;
  /** The innermost loop goes on to an element. */
  element(loop: Comprehension, element: Outcome): void;
}

/** Returns the observer of an expression. Called once, when the expression is compiled. */
export type ObserveExpression = (checked: CheckedExpression) => EvaluationObserver;

/** Returns the step of a node that tells an observer what it does. */
export function observedStep(observer: EvaluationObserver, node: Expression, run: Step): Step {
  return (frame) => {
    observer.enter(node);
    const outcome = run(frame);
    observer.leave(node, outcome);
    return outcome;
  };
}

/**
 * Returns the plan of a node that tells an observer what it does. A path remembers how it is observed, since a node around
 * it may evaluate it in a way of its own. A conditional is no path any more: its selections are made of its value, which
 * has the same result and cost.
 */
export function observedPlan(observer: EvaluationObserver, node: Expression, plan: Plan): Plan {
  const { run, path, literal } = plan;
  if (literal !== undefined) {
    return plan;
  }
  const observe = (step: Step): Step => observedStep(observer, node, step);
  const observed = observe(run);
  if (path === undefined) {
    return { run: observed };
  }
  return path.root.kind === "conditional"
    ? { run: observed, path: { root: { kind: "value", run: observed, isFree: true }, selections: [] } }
    : { run: observed, path: { ...path, observe } };
}

/** Returns the step of what a loop does with each element, which tells an observer of the element first. */
export function observedElement(observer: EvaluationObserver, loop: Comprehension, slot: number, run: Step): Step {
  return (frame) => {
    observer.element(loop, frame.slots[slot] as CelValue);
    return run(frame);
  };
}
