import type { CoverageGoal } from "@gatehouse/policies/cel-tracing";
import type { ExpressionTraces } from "../policies/expression-traces.js";

/** A policy or definition whose expressions are recorded. */
export interface CoveredDocument {
  readonly name: string;
  readonly traced: ExpressionTraces;
}

/** The coverage of a policy or definition: results that its sub-expressions had, of those that they should have had. */
export interface PolicyCoverage {
  readonly name: string;
  readonly reached: number;
  readonly wanted: number;
  readonly expressions: readonly UncoveredExpression[];
}

/** An expression that is not covered as a whole. */
export interface UncoveredExpression {
  readonly path: string;
  readonly source: string;
  readonly missing: readonly MissingResult[];
}

/** A sub-expression that lacks results. */
export interface MissingResult {
  readonly start: number;
  readonly end: number;
  /** The results that it never had, as text: `never true`. */
  readonly text: string;
}

/** Returns the coverage of a policy or definition by all that has been evaluated. */
export function policyCoverage({ name, traced }: CoveredDocument): PolicyCoverage {
  let [reached, wanted] = [0, 0];
  const expressions = traced.expressions.flatMap(({ path, checked, coverage }): readonly UncoveredExpression[] => {
    const missing: MissingResult[] = [];
    for (const point of coverage.points) {
      const lacking = point.goals.filter((goal) => !point.reached.has(goal));
      wanted += point.goals.length;
      reached += point.goals.length - lacking.length;
      if (lacking.length > 0) {
        missing.push({ ...point.range, text: missingText(lacking, point.goals) });
      }
    }
    return missing.length === 0 ? [] : [{ path, source: checked.parsed.source, missing }];
  });
  return { name, reached, wanted, expressions };
}

/** Returns the coverage in percent, rounded down: 100 is all. */
export function coveragePercent({ reached, wanted }: Pick<PolicyCoverage, "reached" | "wanted">): number {
  return wanted === 0 ? 100 : Math.floor((reached * 100) / wanted);
}

function missingText(missing: readonly CoverageGoal[], goals: readonly CoverageGoal[]): string {
  return missing.includes("value") || missing.length === goals.length ? "never evaluated" : `never ${missing.join()}`;
}

/** Returns the source of an expression, each line with marks below the sub-expressions on it that lack results. */
export function markedSource({ source, missing }: UncoveredExpression): readonly string[] {
  let offset = 0;
  return source.split("\n").flatMap((line) => {
    const [start, end] = [offset, offset + line.length];
    offset = end + 1;
    const marks = missing.filter((result) => result.start >= start && result.start <= end);
    return [
      line,
      ...marks.map((result) => markBelow(line, result.start - start, Math.min(result.end, end) - start, result.text)),
    ];
  });
}

/** Returns a line of marks. Tabs stay, so that the marks stand below the text. */
function markBelow(line: string, from: number, to: number, text: string): string {
  const indent = line.slice(0, from).replaceAll(/[^\t]/g, " ");
  return `${indent}${"^".repeat(Math.max(1, to - from))} ${text}`;
}
