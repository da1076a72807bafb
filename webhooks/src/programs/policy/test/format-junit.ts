import { xml } from "@gatehouse/component-base/manifests";
import type { CaseResult } from "./case-result.js";
import { variableLine } from "./format-text.js";
import { coveragePercent, type PolicyCoverage } from "./policy-coverage.js";
import type { TestReport } from "./test-report.js";

/** Writes a report as JUnit XML: a suite for each file of cases, and one with the coverage of each policy and definition. */
export function formatJunit({ results, tested, minCoverage }: TestReport): string {
  const files = [...new Set(results.map((result) => result.case.file))];
  const named = tested.filter((document) => document.results.length > 0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="gatehouse-policy">',
    ...files.flatMap((file) => {
      const own = results.filter((result) => result.case.file === file);
      return suite(file, own.map(caseOf));
    }),
    ...suite(
      "coverage",
      named.map(({ coverage }) => coverageCase(coverage, minCoverage)),
    ),
    "</testsuites>",
  ].join("\n");
}

interface JunitCase {
  readonly name: string;
  readonly failure: string | undefined;
  readonly output: string;
}

function suite(name: string, cases: readonly JunitCase[]): readonly string[] {
  const failed = cases.filter(({ failure }) => failure !== undefined).length;
  return [
    `  <testsuite name="${xml(name)}" tests="${cases.length}" failures="${failed}" errors="0" skipped="0">`,
    ...cases.map((item) => `    ${caseElement(name, item)}`),
    "  </testsuite>",
  ];
}

function caseElement(suiteName: string, { name, failure, output }: JunitCase): string {
  const [message = ""] = failure?.split("\n") ?? [];
  const failures = failure === undefined ? "" : `<failure message="${xml(message)}">${xml(failure)}</failure>`;
  return `<testcase classname="${xml(suiteName)}" name="${xml(name)}">${failures}<system-out>${xml(output)}</system-out></testcase>`;
}

function caseOf({ case: { name }, failures, variables, cost }: CaseResult): JunitCase {
  const output = [...variables.map(variableLine), `cost ${cost}`].join("\n");
  return { name, failure: failures.length === 0 ? undefined : failures.join("\n"), output };
}

function coverageCase(coverage: PolicyCoverage, minCoverage: number): JunitCase {
  const { name, reached, wanted } = coverage;
  const percent = coveragePercent(coverage);
  const failure = percent < minCoverage ? `coverage: expected at least ${minCoverage}%, was ${percent}%` : undefined;
  return { name, failure, output: `coverage ${percent}% (${reached} of ${wanted})` };
}
