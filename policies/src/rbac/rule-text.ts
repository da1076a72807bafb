import { goQuote } from "@gatehouse/envelopes/go";
import type { PolicyRule } from "./policy-rule.js";

/** Returns a rule as v1.29 shows it to a user who may not grant it, without empty members. */
export function ruleText(rule: PolicyRule): string {
  const parts = members.flatMap(([title, member]) =>
    rule[member].length === 0 ? [] : [`${title}:${quotedList(rule[member])}`],
  );
  return `{${parts.join(", ")}}`;
}

/** Returns texts as Go's `%q` shows a list of them. */
export function quotedList(texts: readonly string[]): string {
  return `[${texts.map(goQuote).join(" ")}]`;
}

const members: readonly (readonly [string, keyof PolicyRule])[] = [
  ["APIGroups", "apiGroups"],
  ["Resources", "resources"],
  ["NonResourceURLs", "nonResourceURLs"],
  ["ResourceNames", "resourceNames"],
  ["Verbs", "verbs"],
];

/** Puts rules for one resource that differ only in their verbs together: what is missing reads shorter (v1.29). */
export function compactRules(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const compacted: PolicyRule[] = [];
  const simple = new Map<string, { rule: PolicyRule; verbs: string[] }>();
  for (const rule of rules) {
    const { apiGroups, resources, resourceNames, nonResourceURLs } = rule;
    if (resourceNames.length > 1 || nonResourceURLs.length > 0 || apiGroups.length !== 1 || resources.length !== 1) {
      compacted.push(rule);
      continue;
    }
    const key = JSON.stringify([apiGroups, resources, resourceNames]);
    const known = simple.get(key);
    if (known === undefined) {
      simple.set(key, { rule, verbs: [...rule.verbs] });
    } else {
      known.verbs.push(...rule.verbs);
    }
  }
  return [...compacted, ...Array.from(simple.values(), ({ rule, verbs }) => ({ ...rule, verbs }))];
}
