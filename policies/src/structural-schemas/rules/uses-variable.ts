import { type CheckedExpression, childrenOf } from "../../cel/index.js";

/** Reports whether an expression reads a variable. Variables of macros that have its name count as well, as in v1.29. */
export function usesVariable({ parsed }: CheckedExpression, name: string): boolean {
  const pending = [parsed.root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.kind === "identifier" && (node.name === name || node.name === `.${name}`)) {
      return true;
    }
    pending.push(...childrenOf(node));
  }
  return false;
}
