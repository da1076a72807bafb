import type { VariableValue } from "../policies/variable-values.js";
import type { CaseResult } from "./case-result.js";
import { coveragePercent, markedSource, type PolicyCoverage } from "./policy-coverage.js";
import type { TestReport } from "./test-report.js";

/** The parts of a report that are shown. */
export interface TextOptions {
  /** True: cases that have passed are shown with variables and cost, too. */
  readonly isVerbose: boolean;
  /** True: sub-expressions that are not covered are shown for all policies, not only for those with too little coverage. */
  readonly showsCoverage: boolean;
}

/** Writes a report as text: a line for each policy, below it the cases that have failed and what is not covered. */
export function formatText(report: TestReport, options: TextOptions): string {
  const { results, coverages, minCoverage, policies } = report;
  const lines = coverages.flatMap((coverage, index) => {
    const own = results.filter((result) => result.case.policies.includes(coverage.policy));
    const isLow = coveragePercent(coverage) < minCoverage;
    const unbound = policies[index]?.isUnbound ? ", without a binding: evaluated with one that denies" : "";
    return [
      `${policyLine(coverage, own, isLow)}${unbound}`,
      ...own.filter(({ failures }) => options.isVerbose || failures.length > 0).flatMap(caseLines),
      ...(isLow ? [`  coverage: expected at least ${minCoverage}%, was ${coveragePercent(coverage)}%`] : []),
      ...(isLow || options.showsCoverage ? coverageLines(coverage) : []),
    ];
  });
  const elsewhere = results.filter((result) => result.case.policies.length === 0).flatMap(caseLines);
  return [...lines, ...elsewhere, totals(report)].join("\n");
}

function policyLine(coverage: PolicyCoverage, results: readonly CaseResult[], isLow: boolean): string {
  const { policy, reached, wanted } = coverage;
  const failed = results.filter(({ failures }) => failures.length > 0).length;
  const cases = results.length === 1 ? "1 case" : `${results.length} cases`;
  const failures = failed === 0 ? "" : `, ${failed} failed`;
  const share = results.length === 0 ? "" : `, coverage ${coveragePercent(coverage)}% (${reached} of ${wanted})`;
  return `${failed === 0 && !isLow ? "ok" : "not ok"} ${policy}: ${cases}${failures}${share}`;
}

function caseLines({ case: { file, path, name }, failures, variables, cost }: CaseResult): readonly string[] {
  return [
    `  ${failures.length === 0 ? "ok" : "not ok"} ${file}: ${path}: ${name}`,
    ...[...failures, ...variables.map(variableLine), `cost ${cost}`].map((text) => `      ${text}`),
  ];
}

/** Returns the line of a variable: `variables.limit = 5`. */
export function variableLine({ name, values }: VariableValue): string {
  return `variables.${name} = ${values.length === 0 ? "not evaluated" : values.join(" | ")}`;
}

function coverageLines({ expressions }: PolicyCoverage): readonly string[] {
  return expressions.flatMap((expression) => [
    `  not covered: ${expression.path}`,
    ...markedSource(expression).map((line) => `      ${line}`),
  ]);
}

function totals({ results, coverages }: TestReport): string {
  const failed = results.filter(({ failures }) => failures.length > 0).length;
  const tested = coverages.filter(({ policy }) => results.some((result) => result.case.policies.includes(policy)));
  const all = { reached: sum(tested, "reached"), wanted: sum(tested, "wanted") };
  return `${results.length - failed} passed, ${failed} failed, coverage ${coveragePercent(all)}% of ${tested.length} ${tested.length === 1 ? "policy" : "policies"}`;
}

function sum(coverages: readonly PolicyCoverage[], member: "reached" | "wanted"): number {
  return coverages.reduce((total, coverage) => total + coverage[member], 0);
}
