import { type GroupResource, type JsonObject, parseQuantity } from "@gatehouse/envelopes";
import { persistentVolumeClaims, pods, services } from "../core-resources.js";
import type { ObjectClient } from "../object-client.js";
import { claimUsage, isClaimResource } from "./claim-usage.js";
import { isPodResource, podUsage } from "./pod-usage.js";
import { isInScope, scopesOf } from "./quota-scopes.js";
import { addAmounts, type ResourceList, zero } from "./resource-list.js";
import { isServiceResource, serviceUsage } from "./service-usage.js";

/** Kinds that quotas could count before `count/` was there, and by that name still do. */
const plainCounts: ReadonlySet<string> = new Set(["configmaps", "resourcequotas", "replicationcontrollers", "secrets"]);

/** What is more than counted: how each object of it counts. */
const evaluators: readonly Evaluator[] = [
  { resource: pods, matches: isPodResource, usage: podUsage, hasScopes: true },
  { resource: services, matches: isServiceResource, usage: serviceUsage, hasScopes: false },
  { resource: persistentVolumeClaims, matches: isClaimResource, usage: claimUsage, hasScopes: false },
];

interface Evaluator {
  readonly resource: GroupResource;
  readonly matches: (name: string) => boolean;
  readonly usage: (object: JsonObject, nowMs: number) => ResourceList;
  /** Quotas may count some of the objects only; of others they then count none. */
  readonly hasScopes: boolean;
}

/** The resource whose objects decide about an amount; undefined when nobody knows the name. */
export function countedResource(name: string): GroupResource | undefined {
  const evaluator = evaluators.find(({ matches }) => matches(name));
  if (evaluator !== undefined) {
    return evaluator.resource;
  }
  if (plainCounts.has(name)) {
    return { group: "", resource: name };
  }
  if (!name.startsWith("count/")) {
    return undefined;
  }
  const [resource = "", ...group] = name.slice("count/".length).split(".");
  return { group: group.join("."), resource };
}

/** How much of each of these resources a namespace uses, as far as that is known here. */
export async function quotaUsage(
  client: ObjectClient,
  namespace: string,
  quota: JsonObject,
  names: readonly string[],
  nowMs: number,
): Promise<ResourceList> {
  const used: ResourceList = new Map();
  const scopes = scopesOf(quota);
  for (const evaluator of evaluators) {
    const matching = names.filter(evaluator.matches);
    if (matching.length === 0) {
      continue;
    }
    const total: ResourceList = new Map(matching.map((name) => [name, zero]));
    const counted = scopes.length > 0 && !evaluator.hasScopes ? [] : await client.list(evaluator.resource, namespace);
    for (const { entry } of counted) {
      const object = entry.object();
      if (scopes.every((scope) => isInScope(object, scope))) {
        addAmounts(total, evaluator.usage(object, nowMs));
      }
    }
    for (const name of matching) {
      used.set(name, total.get(name) ?? zero);
    }
  }
  for (const name of names) {
    const resource = countedResource(name);
    const isServed = resource !== undefined && client.find(resource)?.namespaced === true;
    if (!used.has(name) && isServed) {
      const count = scopes.length > 0 ? 0 : await client.count(resource, namespace);
      used.set(name, parseQuantity(String(count)));
    }
  }
  return used;
}
