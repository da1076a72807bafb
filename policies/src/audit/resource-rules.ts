import type { auditV1 } from "@gatehouse/envelopes/types";
import type { AuditedRequest } from "./audit-attributes.js";
import type { RuleSet } from "./rule-set.js";
import { RulesByValue } from "./rules-by-value.js";

/** The placeholder for everything of a group, subresources included; no resource has this name. */
const everything = "*";

/**
 * Returns a function that finds the rules for a resource request, regardless of its namespace and of names in the
 * rules. A rule for paths matches none.
 */
export function resourceRules(rules: readonly auditV1.PolicyRule[]): (request: AuditedRequest) => RuleSet {
  const byPattern = new RulesByValue(rules.map(patternsOf));
  return (request) => byPattern.acceptingAnyOf(patternsFor(request));
}

function patternsOf(rule: auditV1.PolicyRule): readonly string[] | undefined {
  const { resources = [], namespaces = [], nonResourceURLs = [] } = rule;
  if (resources.length === 0) {
    return nonResourceURLs.length > 0 && namespaces.length === 0 ? [] : undefined;
  }
  return resources.flatMap(({ group = "", resources: names = [] }) =>
    (names.length === 0 ? [everything] : names).map((name) => `${group}/${name}`),
  );
}

/** Returns every pattern by which a rule can match the request, such as `apps/deployments/scale`. */
function patternsFor({ group, resource, subresource }: AuditedRequest): readonly string[] {
  const all = [`${group}/${everything}`, `${group}/${resource}/*`];
  return subresource === ""
    ? [...all, `${group}/${resource}`]
    : [...all, `${group}/${resource}/${subresource}`, `${group}/*/${subresource}`];
}

/**
 * Reports whether a request is for one of the resources, names included. `pods` is not `pods/log`, but `pods/*` is
 * both.
 */
export function matchesResources(resources: readonly auditV1.GroupResources[], request: AuditedRequest): boolean {
  const patterns = patternsFor(request);
  return resources.some(
    ({ group = "", resources: names = [], resourceNames = [] }) =>
      group === request.group &&
      (names.length === 0 ||
        ((resourceNames.length === 0 || resourceNames.includes(request.name)) &&
          names.some((name) => patterns.includes(`${group}/${name}`)))),
  );
}
