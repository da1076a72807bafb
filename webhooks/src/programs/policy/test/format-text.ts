import type { VariableValue } from "../policies/variable-values.js";
import type { CaseResult } from "./case-result.js";
import { coveragePercent, markedSource, type PolicyCoverage } from "./policy-coverage.js";
import type { TestedDocument, TestReport } from "./test-report.js";

/** The parts of a report that are shown. */
export interface TextOptions {
  /** True: cases that have passed are shown with variables and cost, too. */
  readonly isVerbose: boolean;
  /** True: sub-expressions that are not covered are shown for all policies and definitions, not only for those with too little. */
  readonly showsCoverage: boolean;
}

/** Writes a report as text: a line for each policy and definition, below it the cases that have failed and what is not covered. */
export function formatText(report: TestReport, options: TextOptions): string {
  const { tested, minCoverage } = report;
  const lines = tested.flatMap((document) => {
    const { coverage, results, remark } = document;
    const isLow = coveragePercent(coverage) < minCoverage;
    return [
      `${documentLine(document, isLow)}${remark === "" ? "" : `, ${remark}`}`,
      ...results.filter(({ failures }) => options.isVerbose || failures.length > 0).flatMap(caseLines),
      ...(isLow ? [`  coverage: expected at least ${minCoverage}%, was ${coveragePercent(coverage)}%`] : []),
      ...(isLow || options.showsCoverage ? coverageLines(coverage) : []),
    ];
  });
  return [...lines, totals(report)].join("\n");
}

function documentLine({ coverage, results }: TestedDocument, isLow: boolean): string {
  const { name, reached, wanted } = coverage;
  const failed = results.filter(({ failures }) => failures.length > 0).length;
  const cases = results.length === 1 ? "1 case" : `${results.length} cases`;
  const failures = failed === 0 ? "" : `, ${failed} failed`;
  const share = results.length === 0 ? "" : `, coverage ${coveragePercent(coverage)}% (${reached} of ${wanted})`;
  return `${failed === 0 && !isLow ? "ok" : "not ok"} ${name}: ${cases}${failures}${share}`;
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

function totals({ results, tested }: TestReport): string {
  const failed = results.filter(({ failures }) => failures.length > 0).length;
  const named = tested.filter((document) => document.results.length > 0);
  const all = { reached: sum(named, "reached"), wanted: sum(named, "wanted") };
  const policies = named.filter(({ sort }) => sort === "policies").length;
  const definitions = named.length - policies;
  const counts = [
    ...(policies > 0 || definitions === 0 ? [`${policies} ${policies === 1 ? "policy" : "policies"}`] : []),
    ...(definitions > 0 ? [`${definitions} ${definitions === 1 ? "definition" : "definitions"}`] : []),
  ];
  const passed = results.length - failed;
  return `${passed} passed, ${failed} failed, coverage ${coveragePercent(all)}% of ${counts.join(" and ")}`;
}

function sum(tested: readonly TestedDocument[], member: "reached" | "wanted"): number {
  return tested.reduce((total, { coverage }) => total + coverage[member], 0);
}
