import type { auditV1 } from "@gatehouse/envelopes/types";
import { addRule, addRules, emptyRuleSet, type RuleSet } from "./rule-set.js";
import { populated, RulesByValue } from "./rules-by-value.js";

/** Returns a function that finds the rules for a non-resource path. Rules for resources or namespaces match none. */
export function nonResourceRules(rules: readonly auditV1.PolicyRule[]): (path: string) => RuleSet {
  const exact = new RulesByValue(rules.map(pathsOf));
  const byPrefix = prefixesOf(rules);
  return (path) => {
    const found = exact.accepting(path);
    let all: RuleSet | undefined;
    for (const [prefix, set] of byPrefix) {
      if (path.startsWith(prefix)) {
        all ??= found.slice();
        addRules(all, set);
      }
    }
    return all ?? found;
  };
}

function pathsOf(rule: auditV1.PolicyRule): readonly string[] | undefined {
  const { resources = [], namespaces = [], nonResourceURLs } = rule;
  return resources.length > 0 || namespaces.length > 0 ? [] : populated(nonResourceURLs);
}

/** Returns the rules by prefix: paths that end in `*`, without it. `*` alone is the prefix of every path. */
function prefixesOf(rules: readonly auditV1.PolicyRule[]): ReadonlyMap<string, RuleSet> {
  const byPrefix = new Map<string, RuleSet>();
  for (const [index, rule] of rules.entries()) {
    for (const path of pathsOf(rule) ?? []) {
      if (path.endsWith("*")) {
        const prefix = path.slice(0, -1);
        const set = byPrefix.get(prefix) ?? emptyRuleSet(rules.length);
        byPrefix.set(prefix, set);
        addRule(set, index);
      }
    }
  }
  return byPrefix;
}
