import type { MemberRules, MessageRules } from "./member-rule.js";
import { coreOrder, coreRules } from "./structural-rules-core.js";
import { groupOrder, groupRules } from "./structural-rules-groups.js";

/*
 * Where kube-apiserver 1.29 words a missing or unknown value differently from what the schema alone suggests, or accepts
 * it. The schema says which members OpenAPI calls required and which sets of values are closed; the rules of the kinds
 * decide. Kinds are named by group and message, since all versions of a kind share one set of rules.
 */

// Groups whose kinds are reviews, or have rules of which the schema says next to nothing.
const uncheckedGroups: ReadonlySet<string> = new Set([
  "admission",
  "apidiscovery",
  "apiextensions",
  "audit",
  "authentication",
  "authorization",
  "events",
  "imagepolicy",
  // Labels, owners and managed fields have checks of their own (object-meta.ts), selectors, too.
  "meta",
]);

const noRules: MemberRules = {};
const jsonOrder: readonly string[] = [];

/** How the members of a message depart from the general rule; undefined when no member of it is checked at all. */
export function structuralRulesOf(messageName: string): MessageRules | undefined {
  const parts = messageName.split(".");
  const message = parts.at(-1) ?? "";
  const group = parts.at(-3) ?? "";
  // Status is written by controllers, and kube-apiserver looks at little of it.
  if (uncheckedGroups.has(group) || message.endsWith("Status")) {
    return undefined;
  }
  if (group === "core") {
    return { members: coreRules[message] ?? noRules, order: coreOrder[message] ?? jsonOrder };
  }
  const name = `${group}.${message}`;
  return { members: groupRules[name] ?? noRules, order: groupOrder[name] ?? jsonOrder };
}
