import type { GroupResource } from "@gatehouse/envelopes/status";
import type { QuotaEvaluator } from "./quota-evaluator.js";
import { one } from "./resource-list.js";

/** Resources that quotas also count under their plain name, from before `count/` existed. */
const plainCounts: ReadonlySet<string> = new Set(["configmaps", "resourcequotas", "replicationcontrollers", "secrets"]);

/**
 * Returns an evaluator that counts the objects of a resource: `count/deployments.apps`. Quotas with scopes count none.
 */
export function objectCountEvaluator(resource: GroupResource): QuotaEvaluator {
  const names = [countName(resource)];
  if (resource.group === "" && plainCounts.has(resource.resource)) {
    names.push(resource.resource);
  }
  return {
    resource,
    isCountOnly: true,
    changes: () => false,
    matches: (name) => names.includes(name),
    usage: () => new Map(names.map((name) => [name, one])),
    isInScope: () => false,
  };
}

/** Returns the resource that is counted under a name; undefined when the name is not that of a count. */
export function resourceCountedAs(name: string): GroupResource | undefined {
  if (plainCounts.has(name)) {
    return { group: "", resource: name };
  }
  if (!name.startsWith(prefix)) {
    return undefined;
  }
  const [resource = "", ...group] = name.slice(prefix.length).split(".");
  return { group: group.join("."), resource };
}

const prefix = "count/";

function countName({ group, resource }: GroupResource): string {
  return group === "" ? `${prefix}${resource}` : `${prefix}${resource}.${group}`;
}
