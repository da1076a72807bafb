import { type JsonObject, objectAt } from "@gatehouse/envelopes/json";
import { isStandardQuotaResource } from "../../../validation/resource-names.js";

/** Resources that a quota can limit in the BestEffort scope; `podsAndCompute` holds those of the other scopes. */
const podsOnly: ReadonlySet<string> = new Set(["pods"]);
const podsAndCompute: ReadonlySet<string> = new Set([
  "pods",
  "cpu",
  "memory",
  "limits.cpu",
  "limits.memory",
  "requests.cpu",
  "requests.memory",
]);

const limitable: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["Terminating", podsAndCompute],
  ["NotTerminating", podsAndCompute],
  ["NotBestEffort", podsAndCompute],
  ["PriorityClass", podsAndCompute],
  ["CrossNamespacePodAffinity", podsAndCompute],
  ["BestEffort", podsOnly],
]);

const opposites = [
  ["BestEffort", "NotBestEffort"],
  ["Terminating", "NotTerminating"],
] as const;

/** Reports whether v1.29 knows the scope. */
export function isStandardScope(scope: string): boolean {
  return limitable.has(scope);
}

/**
 * Returns a function that counts, for a scope, the resources of `spec.hard` that a quota cannot limit in it; 0 for
 * unknown scopes.
 */
export function resourcesBeyond(spec: JsonObject): (scope: string) => number {
  const resources = Object.keys(objectAt(spec, "hard")).filter(isStandardQuotaResource);
  const counts = new Map<string, number>();
  return (scope) => {
    const known = counts.get(scope);
    if (known !== undefined) {
      return known;
    }
    const allowed = limitable.get(scope);
    const count = allowed === undefined ? 0 : resources.filter((resource) => !allowed.has(resource)).length;
    counts.set(scope, count);
    return count;
  };
}

/** Counts the pairs of scopes that exclude each other. */
export function conflictsOf(scopes: readonly string[]): number {
  const given = new Set(scopes);
  return opposites.filter((pair) => pair.every((scope) => given.has(scope))).length;
}
