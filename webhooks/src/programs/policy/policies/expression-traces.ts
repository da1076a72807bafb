import type { CheckedExpression, ObserveExpression } from "@gatehouse/policies/cel";
import { ExpressionCoverage, type RecordedEvaluation, TraceRecorder } from "@gatehouse/policies/cel-tracing";

/** An expression of a document whose evaluations are recorded. */
export interface TracedExpression {
  /** The place in the document: `validations[0].expression` of the specification of a policy. */
  readonly path: string;
  readonly checked: CheckedExpression;
  readonly coverage: ExpressionCoverage;
  /** The evaluations since `forget` was called. */
  readonly recorded: RecordedEvaluation[];
}

/** The expressions of one document, whose evaluations are recorded. */
export class ExpressionTraces {
  readonly #expressions: TracedExpression[] = [];

  /** The expressions in the order in which they were compiled. */
  get expressions(): readonly TracedExpression[] {
    return this.#expressions;
  }

  /** The cost of all evaluations that are recorded. */
  get cost(): number {
    return this.#expressions
      .flatMap(({ recorded }) => recorded)
      .reduce((sum, { evaluation }) => sum + evaluation.cost, 0);
  }

  /** Returns the observer of the expression at a path. */
  observe(path: string): ObserveExpression {
    return (checked) => {
      const coverage = new ExpressionCoverage(checked);
      const recorded: RecordedEvaluation[] = [];
      this.#expressions.push({ path, checked, coverage, recorded });
      return new TraceRecorder((evaluation) => {
        recorded.push(evaluation);
        coverage.add(evaluation.visits);
      });
    };
  }

  /** Forgets recorded evaluations; their coverage stays. */
  forget(): void {
    for (const { recorded } of this.#expressions) {
      recorded.length = 0;
    }
  }
}
