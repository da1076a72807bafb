import { type Call, type Expression, type ParsedExpression, sourceTextOf } from "../syntax/expression.js";
import type { EvaluationError } from "../values/evaluation-error.js";
import type { CelValue } from "../values/value.js";
import type { Visit } from "./visit.js";

/** An evaluated sub-expression, for people: nodes that only macros know of are left out. */
export interface TraceNode {
  /** The text in the source, on one line. */
  readonly text: string;
  /** The value or error; undefined if the evaluation ended before. */
  readonly outcome: CelValue | EvaluationError | undefined;
  /** The sub-expressions in the order of their evaluation, which is that of the text. */
  readonly parts: readonly TraceNode[];
  /** The elements of the list that a macro went through: the one that has decided alone, if there is one. */
  readonly elements: readonly TraceElement[];
}

/** One element of the list of a macro, and the sub-expressions that were evaluated for it. */
export interface TraceElement {
  readonly element: CelValue | EvaluationError;
  readonly parts: readonly TraceNode[];
}

/** Returns the sub-expressions of an evaluation as a tree. */
export function traceTree(parsed: ParsedExpression, visits: readonly Visit[]): readonly TraceNode[] {
  return new TreeBuilder(parsed).nodesOf(visits, undefined);
}

class TreeBuilder {
  readonly #parsed: ParsedExpression;

  constructor(parsed: ParsedExpression) {
    this.#parsed = parsed;
  }

  /** Returns the nodes of visits below a node. A node that a macro evaluates twice is shown once. */
  nodesOf(
    visits: readonly Visit[],
    parent: Expression | undefined,
    shown: Set<number> = new Set(),
  ): readonly TraceNode[] {
    return visits.flatMap((visit) => {
      if (shown.has(visit.node.id)) {
        return [];
      }
      shown.add(visit.node.id);
      return this.#isShown(visit.node, parent)
        ? [this.#nodeOf(visit)]
        : this.nodesOf(visit.visits, parent, shown).concat(this.#elementsOf(visit).flatMap(({ parts }) => parts));
    });
  }

  #isShown(node: Expression, parent: Expression | undefined): boolean {
    return this.#parsed.ranges.has(node.id) && !(parent !== undefined && isChained(node, parent));
  }

  #nodeOf(visit: Visit): TraceNode {
    return {
      text: sourceTextOf(this.#parsed, visit.node).replaceAll(/\s*\n\s*/g, " "),
      outcome: visit.outcome,
      parts: this.nodesOf(visit.visits, visit.node),
      elements: this.#elementsOf(visit),
    };
  }

  #elementsOf({ node, outcome, elements = [] }: Visit): readonly TraceElement[] {
    const decisive = decisiveOutcome.get(this.#parsed.macroCalls.get(node.id)?.name ?? "");
    // The loop ends with the element that decides.
    const chosen = decisive !== undefined && outcome === decisive ? elements.slice(-1) : elements;
    return chosen.map(({ element, visits }) => ({ element, parts: this.nodesOf(visits, undefined) }));
  }
}

const decisiveOutcome: ReadonlyMap<string, boolean> = new Map([
  ["all", false],
  ["exists", true],
]);

/** Returns true for an operand that is a part of the chain of its parent: `a && b` in `a && b && c`. */
export function isChained(node: Expression, parent: Expression): boolean {
  return isLogical(node) && isLogical(parent) && node.name === parent.name;
}

function isLogical(node: Expression): node is Call {
  return node.kind === "call" && (node.name === "_&&_" || node.name === "_||_");
}
