import { childrenOf } from "../checker/children-of.js";
import type { Expression, ParsedExpression } from "../syntax/expression.js";

/** Returns the names that an expression reads: variables, those of its loops included. */
export function variablesOf({ root }: ParsedExpression): ReadonlySet<string> {
  const names = new Set<string>();
  const walk = (node: Expression): void => {
    if (node.kind === "identifier") {
      names.add(node.name);
    }
    childrenOf(node).forEach(walk);
  };
  walk(root);
  return names;
}
