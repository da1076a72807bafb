import type { CheckedExpression } from "../checker/checked-expression.js";
import { childrenOf } from "../checker/children-of.js";
import type { Expression, SourceRange } from "../syntax/expression.js";
import { EvaluationError } from "../values/evaluation-error.js";
import { isChained } from "./trace-tree.js";
import type { Visit } from "./visit.js";

/** A result that a sub-expression must have had to be covered. `value`: any value that is no error. */
export type CoverageGoal = "true" | "false" | "value";

/** A sub-expression with its goals, and those that it has reached. */
export interface CoveragePoint {
  readonly range: SourceRange;
  readonly goals: readonly CoverageGoal[];
  readonly reached: ReadonlySet<CoverageGoal>;
}

/**
 * The coverage of one expression by all of its evaluations. Conditions must have been true and false; an expression that is
 * no condition, the branches of a conditional and alternatives of optional values must have had a value. Literals, `!a`,
 * which follows `a`, and the shorter chains in `a && b && c` do not count.
 */
export class ExpressionCoverage {
  readonly #points = new Map<number, CoveragePoint & { readonly reached: Set<CoverageGoal> }>();

  constructor({ parsed, typeOf }: Pick<CheckedExpression, "parsed" | "typeOf">) {
    const add = (node: Expression, goals: readonly CoverageGoal[]): void => {
      const range = parsed.ranges.get(node.id);
      if (range !== undefined && !isConstant(node) && !this.#points.has(node.id)) {
        this.#points.set(node.id, { range, goals, reached: new Set() });
      }
    };
    const walk = (node: Expression, parent: Expression | undefined, isCondition: boolean): void => {
      const isTerm = parent !== undefined && parsed.ranges.has(parent.id) && isChained(node, parent);
      const isPart = isTerm || isNegation(node);
      if ((isCondition || typeOf(node).kind === "bool") && !isPart) {
        add(node, ["true", "false"]);
      }
      for (const child of childrenOf(node)) {
        if (isAlternative(node, child)) {
          add(child, typeOf(child).kind === "bool" ? ["true", "false"] : ["value"]);
        }
        walk(child, node, isConditionOf(node, child));
      }
    };
    walk(parsed.root, undefined, false);
    if (!isNegation(parsed.root)) {
      add(parsed.root, ["value"]);
    }
  }

  /** The sub-expressions in the order of the text. */
  get points(): readonly CoveragePoint[] {
    return [...this.#points.values()].sort((a, b) => a.range.start - b.range.start || b.range.end - a.range.end);
  }

  /** Adds the visits of an evaluation. */
  add(visits: readonly Visit[]): void {
    for (const { node, outcome, visits: inner, elements = [] } of visits) {
      const point = this.#points.get(node.id);
      if (point !== undefined && outcome !== undefined && !(outcome instanceof EvaluationError)) {
        point.reached.add(point.goals.includes("value") ? "value" : outcome === true ? "true" : "false");
      }
      this.add(inner);
      for (const element of elements) {
        this.add(element.visits);
      }
    }
  }
}

/** Returns true for a literal, and for a list or map of nothing else, which are known before evaluation. */
function isConstant(node: Expression): boolean {
  const isLiteral = node.kind === "literal" || node.kind === "list" || node.kind === "map";
  return isLiteral && childrenOf(node).every(isConstant);
}

function isNegation(node: Expression): boolean {
  return node.kind === "call" && node.name === "!_";
}

const logical: ReadonlySet<string> = new Set(["_&&_", "_||_", "!_"]);

function isConditionOf(parent: Expression, child: Expression): boolean {
  return parent.kind === "call" && (logical.has(parent.name) || (parent.name === "_?_:_" && parent.args[0] === child));
}

/** Returns true for an operand that is evaluated only if the value before it asks for it. */
function isAlternative(parent: Expression, child: Expression): boolean {
  if (parent.kind !== "call") {
    return false;
  }
  const isOr = parent.name === "or" || parent.name === "orValue";
  return parent.name === "_?_:_" ? parent.args[0] !== child : isOr && parent.target !== child;
}
