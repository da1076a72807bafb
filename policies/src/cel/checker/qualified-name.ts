import type { Expression } from "../syntax/expression.js";

/** Returns the name that a node spells, such as `google.protobuf.Timestamp`; undefined if it is more than names and dots. */
export function qualifiedName(node: Expression): string | undefined {
  const fields: string[] = [];
  let current = node;
  while (current.kind === "select" && !current.isTest) {
    fields.push(current.field);
    current = current.operand;
  }
  return current.kind === "identifier" ? [current.name, ...fields.reverse()].join(".") : undefined;
}

/** Returns a name without the dot before it, which says that it is a name of the outermost container: there is no other. */
export function withoutLeadingDot(name: string): string {
  return name.startsWith(".") ? name.slice(1) : name;
}
