import type { rbacV1 } from "@gatehouse/envelopes/types";
import { type AuditedAccess, isPathAccess, type PathAccess, type ResourceAccess } from "./audited-access.js";

/** Limits for generalising rules from the accesses seen. */
export interface RuleLimits {
  /** The number of names of one resource above which they become a rule for all of its names. */
  readonly maxNames: number;
  /** The number of paths below one folder above which they become a rule for the folder. */
  readonly maxPaths: number;
}

const verbOrder = ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection", "impersonate"];

/**
 * Returns the fewest rules that allow these accesses, whatever their namespaces, and nothing else: only names and paths
 * are generalised, beyond the limits. The order does not depend on that of the accesses.
 */
export function smallestRules(accesses: Iterable<AuditedAccess>, limits: RuleLimits): rbacV1.PolicyRule[] {
  const paths: PathAccess[] = [];
  const resources: ResourceAccess[] = [];
  for (const access of accesses) {
    if (isPathAccess(access)) {
      paths.push(access);
    } else {
      resources.push(access);
    }
  }
  return [...resourceRules(resources, limits), ...pathRules(paths, limits)];
}

/** A product of sets, the form of a rule. */
interface Product {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  /** The resource names; empty for all. */
  readonly resourceNames: readonly string[];
}

function resourceRules(accesses: readonly ResourceAccess[], { maxNames }: RuleLimits): rbacV1.PolicyRule[] {
  const namesByCell = new Map<string, { access: ResourceAccess; names: Set<string> }>();
  for (const access of accesses) {
    const key = JSON.stringify([access.apiGroup, access.resource, access.verb]);
    const cell = namesByCell.get(key) ?? { access, names: new Set<string>() };
    namesByCell.set(key, cell);
    cell.names.add(access.name);
  }
  const cells = [...namesByCell.values()].map(({ access: { apiGroup, resource, verb }, names }): Product => {
    const isAll = names.has("") || names.size > maxNames;
    return {
      verbs: [verb],
      apiGroups: [apiGroup],
      resources: [resource],
      resourceNames: isAll ? [] : [...names].sort(),
    };
  });
  // Products that differ in one member only are one rule with the union of that member.
  const merged = (["verbs", "resources", "apiGroups"] as const).reduce<Product[]>(mergeBy, cells);
  return merged.sort(compareProducts).map(({ verbs, apiGroups, resources, resourceNames }) => ({
    apiGroups: [...apiGroups],
    resources: [...resources],
    ...(resourceNames.length === 0 ? {} : { resourceNames: [...resourceNames] }),
    verbs: sortVerbs(verbs),
  }));
}

function mergeBy(products: readonly Product[], member: "verbs" | "resources" | "apiGroups"): Product[] {
  const groups = new Map<string, Product>();
  for (const product of products) {
    const key = JSON.stringify({ ...product, [member]: undefined });
    const known = groups.get(key);
    const union = [...new Set([...(known?.[member] ?? []), ...product[member]])].sort();
    groups.set(key, { ...product, [member]: union });
  }
  return [...groups.values()];
}

function compareProducts(a: Product, b: Product): number {
  const text = ({ apiGroups, resources, resourceNames, verbs }: Product) =>
    JSON.stringify([apiGroups, resources, resourceNames, verbs]);
  return text(a) < text(b) ? -1 : 1;
}

function sortVerbs(verbs: readonly string[]): string[] {
  const rank = (verb: string) => (verbOrder.indexOf(verb) + verbOrder.length + 1) % (verbOrder.length + 1);
  return [...verbs].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

function pathRules(accesses: readonly PathAccess[], { maxPaths }: RuleLimits): rbacV1.PolicyRule[] {
  const pathsByVerb = new Map<string, Set<string>>();
  for (const { verb, path } of accesses) {
    pathsByVerb.set(verb, (pathsByVerb.get(verb) ?? new Set()).add(path));
  }
  const verbsByPaths = new Map<string, { urls: string[]; verbs: string[] }>();
  for (const [verb, paths] of pathsByVerb) {
    const urls = generalisePaths(paths, maxPaths);
    const key = JSON.stringify(urls);
    const rule = verbsByPaths.get(key) ?? { urls, verbs: [] };
    rule.verbs.push(verb);
    verbsByPaths.set(key, rule);
  }
  return [...verbsByPaths.values()]
    .sort((a, b) => (JSON.stringify(a.urls) < JSON.stringify(b.urls) ? -1 : 1))
    .map(({ urls, verbs }) => ({ nonResourceURLs: urls, verbs: sortVerbs(verbs) }));
}

function generalisePaths(paths: ReadonlySet<string>, maxPaths: number): string[] {
  const byFolder = new Map<string, string[]>();
  for (const path of paths) {
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    const siblings = byFolder.get(folder) ?? [];
    siblings.push(path);
    byFolder.set(folder, siblings);
  }
  return (
    [...byFolder]
      // Everything below the root would be everything.
      .flatMap(([folder, siblings]) => (siblings.length > maxPaths && folder !== "/" ? [`${folder}*`] : siblings))
      .sort()
  );
}
