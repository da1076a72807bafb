import { type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { type TraceElement, type TraceNode, traceTree } from "@gatehouse/policies/cel-tracing";
import type { ExpressionTraces, TracedExpression } from "../policies/expression-traces.js";
import { outcomeText } from "../policies/outcome-text.js";
import type { PolicyOutcome } from "../policies/policy-outcome.js";

/** The most elements of a list that are shown for one macro. */
const maxElements = 5;

/** A policy or a definition, and its recorded expressions. */
export interface ExplainedDocument {
  readonly name: string;
  readonly object: JsonObject;
  readonly traced: ExpressionTraces;
  /** True for a policy without a binding. */
  readonly isUnbound?: boolean;
}

/** Writes why a policy or definition has decided as it has: the verdict, then each expression with the values of its sub-expressions. */
export function formatExplanation(
  { name, object, traced, isUnbound = false }: ExplainedDocument,
  outcome: PolicyOutcome,
): string {
  const { denial, evaluated, violations, warnings, annotations, missing } = outcome;
  const verdict = denial !== undefined ? "denied" : evaluated.has(name) ? "allowed" : "not evaluated";
  const why = verdict === "not evaluated" ? ": its constraints, bindings or match conditions exclude the request" : "";
  return [
    `${name}: ${verdict}${why}`,
    ...(isUnbound ? ["  without a binding: evaluated with one that denies"] : []),
    ...(denial === undefined ? [] : [`  ${denial.code} ${denial.reason}: ${denial.message}`]),
    ...missing.map((what) => `  not the verdict of a server: ${what} is not available`),
    ...violations.map(
      ({ message, reason, path = "" }) => `  violation: ${reason}: ${path === "" ? "" : `${path}: `}${message}`,
    ),
    ...warnings.map((warning) => `  warning: ${warning}`),
    ...Object.entries(annotations).map(([key, value]) => `  audit annotation: ${key}: ${value}`),
    `  cost ${traced.cost}`,
    ...traced.expressions.flatMap((expression) => expressionLines(expression, labelOf(object, expression))),
  ].join("\n");
}

/** Returns the name of an expression: `variables.limit`, or its path with the name that it has in the policy. */
function labelOf(object: JsonObject, { path }: TracedExpression): string {
  const [, section = "", index = ""] = /^(\w+)\[(\d+)\]/.exec(path) ?? [];
  const name = textAt(listAt(object, "spec", section)[Number(index)] ?? null, "name");
  return section === "variables" ? `variables.${name}` : name === "" ? path : `${path} (${name})`;
}

/** Returns the lines of an expression: one block for each way in which its evaluations went. */
function expressionLines({ checked, recorded }: TracedExpression, label: string): readonly string[] {
  const blocks = recorded.map(({ evaluation, visits }) => {
    const { error, value, pending, cost } = evaluation;
    const outcome = pending === undefined ? outcomeText(error ?? value) : "waits for an answer";
    const tree = traceTree(checked.parsed, visits);
    const [root] = tree;
    // The text of the whole expression stands in the line of its root.
    const shown =
      root === undefined ? [`  ${checked.parsed.source.replaceAll(/\s*\n\s*/g, " ")}`] : treeLines(tree, "  ");
    return ["", `${label} = ${outcome}, cost ${cost}`, ...shown].join("\n");
  });
  return [...new Set(blocks.length === 0 ? [`\n${label}: not evaluated`] : blocks)];
}

function treeLines(nodes: readonly TraceNode[], indent: string): readonly string[] {
  return nodes.flatMap(({ text, outcome, parts, elements }) => [
    `${indent}${text} = ${outcomeText(outcome)}`,
    ...treeLines(parts, `${indent}  `),
    ...elementLines(elements, `${indent}  `),
  ]);
}

function elementLines(elements: readonly TraceElement[], indent: string): readonly string[] {
  const more = elements.length - maxElements;
  return [
    ...elements
      .slice(0, maxElements)
      .flatMap(({ element, parts }) => [
        `${indent}element ${outcomeText(element)}`,
        ...treeLines(parts, `${indent}  `),
      ]),
    ...(more > 0 ? [`${indent}... and ${more} more elements`] : []),
  ];
}
