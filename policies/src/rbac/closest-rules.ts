import { goQuote } from "@gatehouse/envelopes/go";
import type { AccessUser, RequestedAccess } from "../access/requested-access.js";
import type { PolicyRule } from "./policy-rule.js";
import type { RbacIndex } from "./rbac-index.js";
import { groupMatches, nameMatches, resourceMatches, urlMatches, verbMatches } from "./rule-match.js";
import { quotedList, ruleText } from "./rule-text.js";
import type { Grant } from "./scope-grants.js";

/** A rule of a user that nearly allows the access. */
export interface NearRule {
  readonly grant: Grant;
  /** The source of the rule: `RoleBinding "b/n" of Role "r" to User "u"`. */
  readonly source: string;
  /** The reasons why the rule does not allow the access, each a sentence without a full stop. */
  readonly misses: readonly string[];
}

/** Limits of the search. */
export interface ClosestOptions {
  /** The number of rules returned; 3 by default. */
  readonly limit?: number;
  /** The number of a user's rules that are examined; 20,000 by default. */
  readonly maxRules?: number;
}

/** Returns the rules that come closest to allowing a denied access, the closest first. */
export function closestRules(
  index: RbacIndex,
  user: AccessUser,
  access: RequestedAccess,
  { limit = 3, maxRules = 20_000 }: ClosestOptions = {},
): readonly NearRule[] {
  const near: NearRule[] = [];
  let looked = 0;
  for (const namespace of ["", access.namespace, ...index.namespacesOf(user)].filter(isFirst)) {
    for (const binding of index.bindingsFor(user, namespace)) {
      if (binding.namespace !== namespace) {
        continue;
      }
      for (const rule of binding.role.rules ?? []) {
        if (++looked > maxRules) {
          return sorted(near, limit);
        }
        const misses = missesOf(rule, access);
        if (misses === undefined) {
          continue;
        }
        if (namespace !== "" && namespace !== access.namespace) {
          misses.push(`it holds in the namespace ${goQuote(namespace)} only`);
        }
        near.push({ grant: { binding, rule }, source: binding.describe(user), misses });
      }
    }
  }
  return sorted(near, limit);
}

/** A near rule in one sentence. */
export function nearRuleText({ grant, source, misses }: NearRule): string {
  return `${source}: rule ${ruleText(grant.rule)}, but ${misses.join(", and ")}`;
}

function isFirst(value: string, index: number, all: readonly string[]): boolean {
  return all.indexOf(value) === index;
}

function sorted(near: readonly NearRule[], limit: number): readonly NearRule[] {
  return near.toSorted((a, b) => a.misses.length - b.misses.length || (a.source < b.source ? -1 : 1)).slice(0, limit);
}

/** Returns what a rule lacks for an access; undefined when the rule is about something else altogether. */
function missesOf(rule: PolicyRule, access: RequestedAccess): string[] | undefined {
  return access.isResourceRequest ? resourceMisses(rule, access) : pathMisses(rule, access);
}

function resourceMisses(rule: PolicyRule, access: RequestedAccess): string[] | undefined {
  const { verb, group, resource, subresource, name } = access;
  const hasResource = resourceMatches(rule, resource, subresource);
  const hasParent = subresource !== "" && resourceMatches(rule, resource, "");
  if (rule.resources.length === 0 || !(hasResource || hasParent)) {
    return undefined;
  }
  const misses: string[] = [];
  if (!groupMatches(rule, group)) {
    misses.push(`it is about the API groups ${quotedList(rule.apiGroups)}, not ${goQuote(group)}`);
  }
  if (!hasResource) {
    misses.push(`it does not include the subresource ${goQuote(subresource)}`);
  }
  if (!verbMatches(rule, verb)) {
    misses.push(`it has the verbs ${quotedList(rule.verbs)}, not ${goQuote(verb)}`);
  }
  if (!nameMatches(rule, name)) {
    misses.push(
      name === ""
        ? `it is for the names ${quotedList(rule.resourceNames)}, and the request names none`
        : `it is for the names ${quotedList(rule.resourceNames)}, not ${goQuote(name)}`,
    );
  }
  return misses;
}

function pathMisses(rule: PolicyRule, { verb, path }: RequestedAccess): string[] | undefined {
  const hasVerb = verbMatches(rule, verb);
  if (!urlMatches(rule, path)) {
    return undefined;
  }
  return hasVerb ? [] : [`it has the verbs ${quotedList(rule.verbs)}, not ${goQuote(verb)}`];
}
