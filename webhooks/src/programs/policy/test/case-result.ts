import type { PolicyCase } from "@gatehouse/policies/policy-cases";
import type { VariableValue } from "../policies/variable-values.js";

/** The result of one case. */
export interface CaseResult {
  readonly case: PolicyCase;
  /** Differences from the expectation, as sentences; none when the case has passed. */
  readonly failures: readonly string[];
  readonly variables: readonly VariableValue[];
  /** The cost of all expressions together. */
  readonly cost: number;
}
