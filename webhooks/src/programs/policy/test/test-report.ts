import type { PolicyFolder } from "../policies/policy-folder.js";
import type { CaseResult } from "./case-result.js";
import { type CoveredDocument, type PolicyCoverage, policyCoverage } from "./policy-coverage.js";

/** A policy or definition that cases may name. */
export interface TestedDocument {
  /** The member of a case that names it. */
  readonly sort: "policies" | "definitions";
  readonly coverage: PolicyCoverage;
  /** A remark about the way in which it was evaluated; empty for none. */
  readonly remark: string;
  /** The results of the cases that name it. */
  readonly results: readonly CaseResult[];
}

/** The results of a run. */
export interface TestReport {
  readonly results: readonly CaseResult[];
  /** The policies in the order of their names, then the definitions. */
  readonly tested: readonly TestedDocument[];
  /** The coverage in percent that each policy and definition must have. */
  readonly minCoverage: number;
}

/** Returns the report of a run of all cases of a folder. */
export function testReport(
  { policies, definitions }: PolicyFolder,
  results: readonly CaseResult[],
  minCoverage: number,
): TestReport {
  const tested = (sort: TestedDocument["sort"], document: CoveredDocument, remark = ""): TestedDocument => ({
    sort,
    coverage: policyCoverage(document),
    remark,
    results: results.filter((result) => result.case[sort].includes(document.name)),
  });
  const unbound = "without a binding: evaluated with one that denies";
  return {
    results,
    tested: [
      ...policies.map((policy) => tested("policies", policy, policy.isUnbound ? unbound : "")),
      // Definitions of the kinds of parameters are no more than needed by policies.
      ...definitions.map((definition) => tested("definitions", definition)).filter(isOfInterest),
    ],
    minCoverage,
  };
}

function isOfInterest({ coverage, results }: TestedDocument): boolean {
  return coverage.wanted > 0 || results.length > 0;
}
