import type { Expression } from "../syntax/expression.js";

/** Returns the nodes below a node, in the order of the source. */
export function childrenOf(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case "select":
      return [node.operand];
    case "call":
      return node.target ? [node.target, ...node.args] : node.args;
    case "list":
      return node.elements;
    case "map":
      return node.entries.flatMap(({ key, value }) => [key, value]);
    case "struct":
      return node.fields.map(({ value }) => value);
    case "comprehension":
      return [node.range, node.initial, node.condition, node.step, node.result];
    default:
      return [];
  }
}
