import type { JsonObject } from "@gatehouse/envelopes/json";
import { Policy } from "@gatehouse/policies/admission-expressions";
import type { CheckedExpression } from "@gatehouse/policies/cel";
import { ExpressionCoverage, type RecordedEvaluation, TraceRecorder } from "@gatehouse/policies/cel-tracing";

/** An expression of a policy whose evaluations are recorded. */
export interface TracedExpression {
  /** The place in the specification: `validations[0].expression`. */
  readonly path: string;
  readonly checked: CheckedExpression;
  readonly coverage: ExpressionCoverage;
  /** The evaluations since `forget` was called. */
  readonly recorded: RecordedEvaluation[];
}

/** A policy whose expressions are recorded while it is evaluated. */
export class TracedPolicy {
  readonly policy: Policy;
  readonly #expressions: TracedExpression[] = [];

  constructor(object: JsonObject) {
    this.policy = new Policy(object, (path) => (checked) => {
      const coverage = new ExpressionCoverage(checked);
      const recorded: RecordedEvaluation[] = [];
      this.#expressions.push({ path, checked, coverage, recorded });
      return new TraceRecorder((evaluation) => {
        recorded.push(evaluation);
        coverage.add(evaluation.visits);
      });
    });
  }

  /** The expressions in the order of the specification: match conditions, variables, validations, annotations. */
  get expressions(): readonly TracedExpression[] {
    return this.#expressions.toSorted((a, b) => sectionOf(a) - sectionOf(b));
  }

  /** The cost of all evaluations that are recorded. */
  get cost(): number {
    return this.#expressions
      .flatMap(({ recorded }) => recorded)
      .reduce((sum, { evaluation }) => sum + evaluation.cost, 0);
  }

  /** Forgets recorded evaluations; their coverage stays. */
  forget(): void {
    for (const { recorded } of this.#expressions) {
      recorded.length = 0;
    }
  }
}

const sections = ["matchConditions", "variables", "validations", "auditAnnotations"];

function sectionOf({ path }: TracedExpression): number {
  return sections.findIndex((section) => path.startsWith(section));
}
