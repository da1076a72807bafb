import type { FoundPolicy } from "../policies/policy-folder.js";
import type { CaseResult } from "./case-result.js";
import type { PolicyCoverage } from "./policy-coverage.js";

/** The results of a run. */
export interface TestReport {
  readonly policies: readonly FoundPolicy[];
  readonly results: readonly CaseResult[];
  /** The coverage of each policy, in their order. */
  readonly coverages: readonly PolicyCoverage[];
  /** The coverage in percent that each policy must have. */
  readonly minCoverage: number;
}
