import type { gatehouseauthorizationV1alpha1 } from "@gatehouse/envelopes/types";
import type { AccessUser, RequestedAccess } from "../access/requested-access.js";
import { compileGlob, compileGlobs, type Glob } from "../glob/glob.js";
import type { PolicyRule } from "../rbac/policy-rule.js";
import { ruleAllowsAnyName } from "../rbac/rule-match.js";

type AccessDenial = gatehouseauthorizationV1alpha1.AccessDenial;

/** Compiled denials, which no permission overrides. */
export interface CompiledDenials {
  /** Returns the first denial that matches; undefined for none. */
  find(user: AccessUser, access: RequestedAccess): AccessDenial | undefined;
}

interface Compiled {
  readonly denial: AccessDenial;
  readonly users: readonly Glob[];
  readonly groups: readonly Glob[];
  /** The denied access as an RBAC rule, without names. */
  readonly rule: PolicyRule;
  readonly names: Glob;
  readonly namespaces: Glob;
}

/** Compiles denials. They must have been checked by `denialProblems`. */
export function compileDenials(denials: readonly AccessDenial[]): CompiledDenials {
  const compiled = denials.map(compileDenial);
  return {
    find: (user, access) => compiled.find((candidate) => isAbout(candidate, access) && isOf(candidate, user))?.denial,
  };
}

function compileDenial(denial: AccessDenial): Compiled {
  const { users = [], groups = [], verbs, apiGroups = [], resources = [], nonResourceURLs = [] } = denial;
  return {
    denial,
    users: users.map(compileGlob),
    groups: groups.map(compileGlob),
    rule: { verbs, apiGroups, resources, nonResourceURLs, resourceNames: [] },
    names: nonEmpty(denial.resourceNames),
    namespaces: nonEmpty(denial.namespaces),
  };
}

/** Returns a glob that does not match the empty text: a star does not stand for an absent name. */
function nonEmpty(patterns: readonly string[] | undefined): Glob {
  const fits = compileGlobs(patterns);
  return patterns === undefined || patterns.length === 0 ? fits : (text) => text !== "" && fits(text);
}

function isOf({ users, groups }: Compiled, user: AccessUser): boolean {
  return users.some((fits) => fits(user.username)) || groups.some((fits) => user.groups.some((group) => fits(group)));
}

function isAbout({ rule, names, namespaces }: Compiled, access: RequestedAccess): boolean {
  return (
    ruleAllowsAnyName(rule, access) &&
    (!access.isResourceRequest || (names(access.name) && namespaces(access.namespace)))
  );
}
