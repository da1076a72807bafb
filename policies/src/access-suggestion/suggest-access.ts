import type { rbacV1 } from "@gatehouse/envelopes/types";
import { type AuditedAccess, isPathAccess } from "./audited-access.js";
import { ruleAllows } from "./rule-allows.js";
import { type RuleLimits, smallestRules } from "./smallest-rules.js";

/** A suggestion of the least access that covers what a user was seen doing. */
export interface AccessSuggestion {
  /**
   * Rules for a ClusterRole bound in the whole cluster: cluster-scoped objects, and accesses across all or many
   * namespaces.
   */
  readonly cluster: readonly rbacV1.PolicyRule[];
  /**
   * Rules for roles bound in namespaces only. Namespaces with the same needs share an item, in the order of their
   * names.
   */
  readonly namespaced: readonly NamespacedRules[];
  /** Accesses that need no rule, because one is granted already. */
  readonly alreadyGranted: readonly AuditedAccess[];
}

/** Rules that some namespaces have in common. */
export interface NamespacedRules {
  readonly namespaces: readonly string[];
  readonly rules: readonly rbacV1.PolicyRule[];
}

/** Options for a suggestion: how far it may exceed the accesses seen. */
export interface SuggestionOptions extends Partial<RuleLimits> {
  /** The number of namespaces above which a verb on a resource is suggested for all of them; 10 by default. */
  readonly maxNamespaces?: number;
  /** Rules that the user has already, such as those of `system:discovery`. */
  readonly granted?: readonly rbacV1.PolicyRule[];
}

const defaults = { maxNames: 5, maxPaths: 5, maxNamespaces: 10 };

/** Finds the smallest roles that cover some accesses. Neither namespaces nor names are widened before their limits. */
export function suggestAccess(accesses: readonly AuditedAccess[], options: SuggestionOptions = {}): AccessSuggestion {
  const { maxNames, maxPaths, maxNamespaces, granted = [] } = { ...defaults, ...options };
  const limits = { maxNames, maxPaths };
  const isGranted = (access: AuditedAccess) => granted.some((rule) => ruleAllows(rule, access));
  const needed = accesses.filter((access) => !isGranted(access));
  const widened = widenedCells(needed, maxNamespaces);
  const isOfCluster = (access: AuditedAccess) =>
    isPathAccess(access) || access.namespace === "" || widened.has(cellOf(access));
  const cluster = smallestRules(needed.filter(isOfCluster), limits);

  const byNamespace = new Map<string, AuditedAccess[]>();
  for (const access of needed) {
    // What the whole cluster allows, a namespace need not say again.
    if (!isPathAccess(access) && !isOfCluster(access) && !cluster.some((rule) => ruleAllows(rule, access))) {
      const list = byNamespace.get(access.namespace) ?? [];
      list.push(access);
      byNamespace.set(access.namespace, list);
    }
  }
  const byRules = new Map<string, { namespaces: string[]; rules: rbacV1.PolicyRule[] }>();
  for (const namespace of [...byNamespace.keys()].sort()) {
    const rules = smallestRules(byNamespace.get(namespace) ?? [], limits);
    const key = JSON.stringify(rules);
    const group = byRules.get(key) ?? { namespaces: [], rules };
    group.namespaces.push(namespace);
    byRules.set(key, group);
  }
  return { cluster, namespaced: [...byRules.values()], alreadyGranted: accesses.filter(isGranted) };
}

/** Returns the verbs on resources that were seen in more than `maxNamespaces` namespaces, so that all are meant. */
function widenedCells(accesses: readonly AuditedAccess[], maxNamespaces: number): ReadonlySet<string> {
  const namespaces = new Map<string, Set<string>>();
  for (const access of accesses) {
    if (!isPathAccess(access) && access.namespace !== "") {
      const cell = cellOf(access);
      namespaces.set(cell, (namespaces.get(cell) ?? new Set()).add(access.namespace));
    }
  }
  return new Set([...namespaces].filter(([, seen]) => seen.size > maxNamespaces).map(([cell]) => cell));
}

function cellOf(access: AuditedAccess): string {
  return isPathAccess(access) ? "" : JSON.stringify([access.apiGroup, access.resource, access.verb]);
}
