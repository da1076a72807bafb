import type { Evaluation } from "../evaluation/evaluation.js";
import type { EvaluationObserver } from "../evaluation/evaluation-observer.js";
import type { Comprehension, Expression } from "../syntax/expression.js";
import type { EvaluationError } from "../values/evaluation-error.js";
import type { CelValue } from "../values/value.js";
import type { ElementVisit, Visit } from "./visit.js";

/** The record of one evaluation of an expression. */
export interface RecordedEvaluation {
  readonly evaluation: Evaluation;
  /** The visit of the root; none for an expression that is known before evaluation. */
  readonly visits: readonly Visit[];
}

interface OpenVisit extends Visit {
  outcome: CelValue | EvaluationError | undefined;
  readonly visits: Visit[];
  elements: (ElementVisit & { readonly visits: Visit[] })[] | undefined;
}

/** An evaluation that goes on: the visits of its root, and those that have not ended. */
interface OpenEvaluation {
  readonly visits: Visit[];
  readonly open: OpenVisit[];
}

/** Records the evaluations of one expression and hands each over when it has ended. */
export class TraceRecorder implements EvaluationObserver {
  readonly #ended: (recorded: RecordedEvaluation) => void;
  readonly #running: OpenEvaluation[] = [];

  constructor(ended: (recorded: RecordedEvaluation) => void) {
    this.#ended = ended;
  }

  begin(): void {
    this.#running.push({ visits: [], open: [] });
  }

  end(evaluation: Evaluation): void {
    const { visits = [] } = this.#running.pop() ?? {};
    this.#ended({ evaluation, visits });
  }

  enter(node: Expression): void {
    const { visits, open } = this.#running.at(-1) as OpenEvaluation;
    const visit: OpenVisit = { node, outcome: undefined, visits: [], elements: undefined };
    const around = open.at(-1);
    (around === undefined ? visits : (around.elements?.at(-1)?.visits ?? around.visits)).push(visit);
    open.push(visit);
  }

  leave(_node: Expression, outcome: CelValue | EvaluationError): void {
    const visit = (this.#running.at(-1) as OpenEvaluation).open.pop() as OpenVisit;
    visit.outcome = outcome;
  }

  element(_loop: Comprehension, element: CelValue | EvaluationError): void {
    const loop = (this.#running.at(-1) as OpenEvaluation).open.at(-1) as OpenVisit;
    loop.elements ??= [];
    loop.elements.push({ element, visits: [] });
  }
}
