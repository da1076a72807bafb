import type { CheckedExpression } from "@gatehouse/policies/cel";

type Expression = CheckedExpression["parsed"]["root"];

/** Reports whether an expression reads a variable. Variables of macros that have its name count as well, as in v1.29. */
export function usesVariable(root: Expression, name: string): boolean {
  const pending: Expression[] = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.kind === "identifier" && (node.name === name || node.name === `.${name}`)) {
      return true;
    }
    pending.push(...partsOf(node));
  }
  return false;
}

function partsOf(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case "literal":
    case "identifier":
      return [];
    case "select":
      return [node.operand];
    case "call":
      return node.target === undefined ? node.args : [node.target, ...node.args];
    case "list":
      return node.elements;
    case "map":
      return node.entries.flatMap(({ key, value }) => [key, value]);
    case "struct":
      return node.fields.map(({ value }) => value);
    case "comprehension":
      return [node.range, node.initial, node.condition, node.step, node.result];
  }
}
