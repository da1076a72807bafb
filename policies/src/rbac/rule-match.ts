import type { RequestedAccess } from "../access/requested-access.js";
import type { PolicyRule } from "./policy-rule.js";

/** Whether a rule of a role allows something (rbac/v1, v1.29). */
export function ruleAllows(rule: PolicyRule, access: RequestedAccess): boolean {
  return ruleAllowsAnyName(rule, access) && (!access.isResourceRequest || nameMatches(rule, access.name));
}

/** The same, whatever the object is called. */
export function ruleAllowsAnyName(rule: PolicyRule, access: RequestedAccess): boolean {
  return (
    verbMatches(rule, access.verb) &&
    (access.isResourceRequest
      ? groupMatches(rule, access.group) && resourceMatches(rule, access.resource, access.subresource)
      : urlMatches(rule, access.path))
  );
}

/** Whether a rule has the verb. */
export function verbMatches(rule: PolicyRule, verb: string): boolean {
  return hasOrStar(rule.verbs, verb);
}

/** Whether a rule has the API group. */
export function groupMatches(rule: PolicyRule, group: string): boolean {
  return hasOrStar(rule.apiGroups, group);
}

/** Whether a rule has the resource, or its subresource where there is one: a resource alone does not include them. */
export function resourceMatches({ resources }: PolicyRule, resource: string, subresource: string): boolean {
  if (subresource === "") {
    return hasOrStar(resources, resource);
  }
  const combined = `${resource}/${subresource}`;
  return resources.some((allowed) => allowed === "*" || allowed === combined || allowed === `*/${subresource}`);
}

/** Whether a rule speaks of objects of that name: of all where it names none. */
export function nameMatches({ resourceNames }: PolicyRule, name: string): boolean {
  return resourceNames.length === 0 || resourceNames.includes(name);
}

/** Whether a rule has the path. */
export function urlMatches({ nonResourceURLs }: PolicyRule, path: string): boolean {
  return nonResourceURLs.some((allowed) => urlCovers(allowed, path));
}

/** Whether what is said of a path, or of all below it, says the same of `path`. */
export function urlCovers(allowed: string, path: string): boolean {
  return allowed === path || (allowed.endsWith("*") && path.startsWith(withoutStars(allowed)));
}

function hasOrStar(list: readonly string[], value: string): boolean {
  return list.includes(value) || list.includes("*");
}

/** Without the stars at the end: v1.29 takes several as one. */
function withoutStars(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 42) {
    end--;
  }
  return text.slice(0, end);
}
