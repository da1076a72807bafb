import type { ClientResource, ControllerOptions } from "@gatehouse/apiserver/client";
import { parseQuantity } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { AggregatedClient } from "../../aggregation/aggregated-object-client.js";
import { evaluatorOfAmount } from "../../quota/evaluators.js";
import type { PendingCharges } from "../../quota/pending-charges.js";
import type { EnabledFeatures, QuotaEvaluator } from "../../quota/quota-evaluator.js";
import { addAmounts, type ResourceList, zero } from "../../quota/resource-list.js";
import { type QuotaScope, scopesOf } from "../../quota/scopes.js";
import { resourceKey } from "./quota-index.js";

/** The options of the quota controller. */
export interface ResourceQuotaOptions extends Omit<ControllerOptions, "client"> {
  /** The objects that are counted, of other servers, too. */
  readonly client: AggregatedClient;
  /** Charges for writes under way, which count, too. */
  readonly pendingCharges: PendingCharges;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly features: EnabledFeatures;
}

/** The quota whose usage is asked for. */
export interface CountedQuota {
  readonly namespace: string;
  readonly name: string;
  readonly quota: JsonObject;
  /** The amounts that it limits. */
  readonly amounts: readonly string[];
}

/** Computes the usage of a namespace for each of the amounts, as far as it is known here. */
export async function quotaUsage(options: ResourceQuotaOptions, counted: CountedQuota): Promise<ResourceList> {
  const used: ResourceList = new Map();
  const scopes = scopesOf(counted.quota);
  for (const { evaluator, names } of groupByResource(counted.amounts)) {
    const resource = options.client.find(evaluator.resource);
    if (resource?.namespaced !== true) {
      continue;
    }
    const total = await totalOf(options, counted.namespace, { evaluator, resource }, scopes);
    if (total === undefined) {
      continue;
    }
    // In the same turn in which they were counted: what is not among them is among the pending ones.
    addAmounts(total, options.pendingCharges.of(counted.namespace, counted.name));
    for (const name of names) {
      used.set(name, total.get(name) ?? zero);
    }
  }
  return used;
}

interface AmountsOfResource {
  readonly evaluator: QuotaEvaluator;
  readonly names: string[];
}

/** Groups amounts by the resource whose objects count for them. Unknown amounts are left out. */
function groupByResource(amounts: readonly string[]): Iterable<AmountsOfResource> {
  const groups = new Map<string, AmountsOfResource>();
  for (const name of amounts) {
    const evaluator = evaluatorOfAmount(name);
    if (evaluator === undefined) {
      continue;
    }
    const key = resourceKey(evaluator.resource);
    const group = groups.get(key) ?? { evaluator, names: [] };
    group.names.push(name);
    groups.set(key, group);
  }
  return groups.values();
}

/**
 * Sums the usage of the objects of a namespace that are in all of the scopes. Undefined while the objects of another
 * server are not known.
 */
async function totalOf(
  { client, now, features }: ResourceQuotaOptions,
  namespace: string,
  { evaluator, resource }: { readonly evaluator: QuotaEvaluator; readonly resource: ClientResource },
  scopes: readonly QuotaScope[],
): Promise<ResourceList | undefined> {
  const context = { nowMs: now(), features };
  const total: ResourceList = new Map();
  if (evaluator.isCountOnly) {
    const objects = scopes.length > 0 ? 0 : await client.count(resource, namespace);
    if (objects === undefined) {
      return undefined;
    }
    const count = parseQuantity(String(objects));
    return new Map([...evaluator.usage({}, context).keys()].map((name) => [name, count]));
  }
  for (const { entry } of await client.list(resource, namespace)) {
    const object = entry.object();
    if (scopes.every((scope) => evaluator.isInScope(object, scope))) {
      addAmounts(total, evaluator.usage(object, context));
    }
  }
  return total;
}
