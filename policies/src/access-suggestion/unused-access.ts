import type { rbacV1 } from "@gatehouse/envelopes/types";
import { type AuditedAccess, isPathAccess } from "./audited-access.js";
import { ruleAllows } from "./rule-allows.js";
import { smallestRules } from "./smallest-rules.js";

/** The unused part of a rule of a present role. Rules that were used completely are not reported. */
export interface UnusedAccess {
  readonly rule: rbacV1.PolicyRule;
  /** The parts that can be removed; the rule itself when it was never used at all. */
  readonly unused: readonly rbacV1.PolicyRule[];
  /** The used part of a rule with `*`, which could replace it. Absent for rules without `*`. */
  readonly used?: readonly rbacV1.PolicyRule[];
}

const withoutLimits = { maxNames: Number.POSITIVE_INFINITY, maxPaths: Number.POSITIVE_INFINITY };
/** The number of combinations above which a rule is reported as a whole: nobody writes such rules by hand. */
const maxCells = 10_000;

/** Compares a present role with what its holder was seen doing, rule by rule. */
export function unusedAccess(
  rules: readonly rbacV1.PolicyRule[],
  seen: readonly AuditedAccess[],
): readonly UnusedAccess[] {
  return rules.flatMap((rule): UnusedAccess[] => {
    const uses = seen.filter((access) => ruleAllows(rule, access));
    if (uses.length === 0) {
      return [{ rule, unused: [rule] }];
    }
    if (hasWildcard(rule)) {
      return [{ rule, unused: [], used: smallestRules(uses, withoutLimits) }];
    }
    const cells = cellsOf(rule);
    const unused = cells.filter((cell) => !uses.some((access) => isSame(cell, access, rule)));
    return unused.length === 0 ? [] : [{ rule, unused: smallestRules(unused, withoutLimits) }];
  });
}

function hasWildcard({ verbs, apiGroups = [], resources = [], nonResourceURLs = [] }: rbacV1.PolicyRule): boolean {
  return (
    [...verbs, ...apiGroups].includes("*") ||
    [...resources, ...nonResourceURLs].some((pattern) => pattern.includes("*"))
  );
}

/** Returns every single access that a rule without wildcards allows; none above `maxCells`. */
function cellsOf(rule: rbacV1.PolicyRule): AuditedAccess[] {
  const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const names = resourceNames.length === 0 ? [""] : resourceNames;
  if (verbs.length * (apiGroups.length * resources.length * names.length + nonResourceURLs.length) > maxCells) {
    return [];
  }
  return verbs.flatMap((verb) => [
    ...nonResourceURLs.map((path) => ({ verb, path })),
    ...apiGroups.flatMap((apiGroup) =>
      resources.flatMap((resource) => names.map((name) => ({ verb, apiGroup, resource, namespace: "", name }))),
    ),
  ]);
}

/** Reports whether an access uses this cell of the rule; names count only if the rule has some. */
function isSame(cell: AuditedAccess, access: AuditedAccess, { resourceNames = [] }: rbacV1.PolicyRule): boolean {
  if (isPathAccess(cell) || isPathAccess(access)) {
    return isPathAccess(cell) && isPathAccess(access) && cell.verb === access.verb && cell.path === access.path;
  }
  return (
    cell.verb === access.verb &&
    cell.apiGroup === access.apiGroup &&
    cell.resource === access.resource &&
    (resourceNames.length === 0 || cell.name === access.name)
  );
}
