import type { rbacV1 } from "@gatehouse/envelopes";
import { type AuditedAccess, isPathAccess } from "./audited-access.js";

/** Whether an RBAC rule allows an access, whatever its namespace: that is for the binding to say. */
export function ruleAllows(rule: rbacV1.PolicyRule, access: AuditedAccess): boolean {
  if (!holds(rule.verbs, access.verb)) {
    return false;
  }
  if (isPathAccess(access)) {
    return (rule.nonResourceURLs ?? []).some((pattern) => pathMatches(pattern, access.path));
  }
  const { resourceNames = [] } = rule;
  return (
    holds(rule.apiGroups, access.apiGroup) &&
    (rule.resources ?? []).some((pattern) => resourceMatches(pattern, access.resource)) &&
    (resourceNames.length === 0 || resourceNames.includes(access.name))
  );
}

function holds(values: readonly string[] | undefined, value: string): boolean {
  return values !== undefined && (values.includes("*") || values.includes(value));
}

/** Rules may name `*` for everything, and `*` + `/status` for one subresource of everything. */
function resourceMatches(pattern: string, resource: string): boolean {
  const slash = resource.indexOf("/");
  return pattern === "*" || pattern === resource || (slash >= 0 && pattern === `*${resource.slice(slash)}`);
}

function pathMatches(pattern: string, path: string): boolean {
  return pattern === "*" || pattern === path || (pattern.endsWith("*") && path.startsWith(pattern.slice(0, -1)));
}
