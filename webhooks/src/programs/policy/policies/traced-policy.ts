import type { JsonObject } from "@gatehouse/envelopes/json";
import { Policy } from "@gatehouse/policies/admission-expressions";
import { ExpressionTraces, type TracedExpression } from "./expression-traces.js";

/** A policy whose expressions are recorded while it is evaluated. */
export class TracedPolicy extends ExpressionTraces {
  readonly policy: Policy;

  constructor(object: JsonObject) {
    super();
    this.policy = new Policy(object, (path) => this.observe(path));
  }

  /** The expressions in the order of the specification: match conditions, variables, validations, annotations. */
  override get expressions(): readonly TracedExpression[] {
    return super.expressions.toSorted((a, b) => sectionOf(a) - sectionOf(b));
  }
}

const sections = ["matchConditions", "variables", "validations", "auditAnnotations"];

function sectionOf({ path }: TracedExpression): number {
  return sections.findIndex((section) => path.startsWith(section));
}
