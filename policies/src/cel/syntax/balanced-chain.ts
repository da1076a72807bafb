import type { Expression } from "./expression.js";
import type { NodeBuilder } from "./node-builder.js";

/**
 * The terms of `a && b && c`, or of `||`. They become a balanced tree, not one that leans to the left, as in v1.29: which
 * operands are evaluated, and the bounds of the cost, depend on it.
 */
export class BalancedChain {
  readonly #terms: Expression[];
  readonly #starts: number[];
  readonly #ends: number[];
  readonly #operators: number[] = [];

  constructor(first: Expression, start: number, end: number) {
    this.#terms = [first];
    this.#starts = [start];
    this.#ends = [end];
  }

  /** Adds the offset of an operator, and the term behind it with the range of its text. */
  add(operator: number, term: Expression, start: number, end: number): void {
    this.#operators.push(operator);
    this.#terms.push(term);
    this.#starts.push(start);
    this.#ends.push(end);
  }

  /** Makes the nodes of the operators, which call `name`, and returns the root. */
  balance(nodes: NodeBuilder, name: string): Expression {
    return this.#between(nodes, name, 0, this.#operators.length - 1);
  }

  #between(nodes: NodeBuilder, name: string, low: number, high: number): Expression {
    if (low > high) return this.#terms[low] as Expression;
    const middle = (low + high + 1) >> 1;
    const left = this.#between(nodes, name, low, middle - 1);
    const right = this.#between(nodes, name, middle + 1, high);
    const node = nodes.call(this.#operators[middle] ?? 0, name, [left, right]);
    nodes.setRange(node.id, this.#starts[low] ?? 0, this.#ends[high + 1] ?? 0);
    return node;
  }
}
