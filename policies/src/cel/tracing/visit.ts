import type { Expression } from "../syntax/expression.js";
import type { EvaluationError } from "../values/evaluation-error.js";
import type { CelValue } from "../values/value.js";

/** One evaluation of a node within a trace. */
export interface Visit {
  readonly node: Expression;
  /** The value or error; undefined if the evaluation ended before, by its cost or to wait for an answer. */
  readonly outcome: CelValue | EvaluationError | undefined;
  /** The visits of the nodes below it, in the order of their evaluation. */
  readonly visits: readonly Visit[];
  /** The elements that a loop has gone through; undefined for nodes that are no loops. */
  readonly elements: readonly ElementVisit[] | undefined;
}

/** One round of a loop: its element, and the visits of the nodes that were evaluated for it. */
export interface ElementVisit {
  readonly element: CelValue | EvaluationError;
  readonly visits: readonly Visit[];
}
