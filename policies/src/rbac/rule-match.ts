import type { RequestedAccess } from "../access/requested-access.js";
import type { PolicyRule } from "./policy-rule.js";

/** Reports whether a rule of a role allows an access (rbac/v1, v1.29). */
export function ruleAllows(rule: PolicyRule, access: RequestedAccess): boolean {
  return ruleAllowsAnyName(rule, access) && (!access.isResourceRequest || nameMatches(rule, access.name));
}

/** Reports whether a rule allows an access regardless of the object's name. */
export function ruleAllowsAnyName(rule: PolicyRule, access: RequestedAccess): boolean {
  return (
    verbMatches(rule, access.verb) &&
    (access.isResourceRequest
      ? groupMatches(rule, access.group) && resourceMatches(rule, access.resource, access.subresource)
      : urlMatches(rule, access.path))
  );
}

/** Reports whether a rule has the verb. */
export function verbMatches(rule: PolicyRule, verb: string): boolean {
  return hasOrStar(rule.verbs, verb);
}

/** Reports whether a rule has the API group. */
export function groupMatches(rule: PolicyRule, group: string): boolean {
  return hasOrStar(rule.apiGroups, group);
}

/**
 * Reports whether a rule has the resource or the subresource, if there is one: a resource does not include its
 * subresources.
 */
export function resourceMatches({ resources }: PolicyRule, resource: string, subresource: string): boolean {
  if (subresource === "") {
    return hasOrStar(resources, resource);
  }
  const combined = `${resource}/${subresource}`;
  return resources.some((allowed) => allowed === "*" || allowed === combined || allowed === `*/${subresource}`);
}

/** Reports whether a rule is for objects of that name; a rule without names is for all. */
export function nameMatches({ resourceNames }: PolicyRule, name: string): boolean {
  return resourceNames.length === 0 || resourceNames.includes(name);
}

/** Reports whether a rule has the path. */
export function urlMatches({ nonResourceURLs }: PolicyRule, path: string): boolean {
  return nonResourceURLs.some((allowed) => urlCovers(allowed, path));
}

/** Reports whether `allowed`, a path or a prefix with a star, covers `path`. */
export function urlCovers(allowed: string, path: string): boolean {
  return allowed === path || (allowed.endsWith("*") && path.startsWith(withoutStars(allowed)));
}

function hasOrStar(list: readonly string[], value: string): boolean {
  return list.includes(value) || list.includes("*");
}

/** Returns a text without the stars at its end: v1.29 takes several as one. */
function withoutStars(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 42) {
    end--;
  }
  return text.slice(0, end);
}
