import {
  type Controller,
  isNotFound,
  type ObservedEvent,
  untilAborted,
  WorkQueue,
  type WorkResult,
} from "@gatehouse/apiserver/client";
import { metaOf } from "@gatehouse/apiserver/objects";
import type { CacheEntry } from "@gatehouse/apiserver/storage";
import { compareQuantity } from "@gatehouse/envelopes/codec";
import { isSameState } from "@gatehouse/envelopes/go";
import { isSet, type JsonObject, objectAt } from "@gatehouse/envelopes/json";
import { resourceList } from "../../quota/resource-list.js";
import { resourceQuotas } from "../core-resources.js";
import { CountedResources } from "./counted-resources.js";
import { quotaUsage, type ResourceQuotaOptions } from "./quota-usage.js";

/**
 * Milliseconds before the status of a changed quota is written: its author often writes again at once, with the
 * resourceVersion of the first answer.
 */
const settleMs = 1000;
/** Milliseconds after which writes that were under way when a quota was counted are stored or have failed. */
const underWayMs = 5000;
/** Milliseconds, longer than any write takes, after which charges for writes that failed are given back. */
const leakMs = 70_000;
/** Interval in milliseconds between counts of a quota: pods can stop counting without a change (as in v1.29). */
const resyncMs = 5 * 60_000;
const quotasAtATime = 5;

/**
 * Keeps the status of ResourceQuotas: their limits, and how much of each is used. What is created is charged by
 * admission; here is noticed what goes, and what a quota counts that is new.
 */
export function resourceQuota(options: ResourceQuotaOptions): Controller {
  return {
    name: "resourcequota-controller",
    async run(signal) {
      await options.pendingCharges.follow(signal);
      const queue = new WorkQueue({
        ...options,
        signal,
        concurrency: quotasAtATime,
        work: (key) => reckon(options, key),
      });
      const counted = new CountedResources(options, queue, signal);
      options.client.followResources((resource, until) => counted.serve(resource, until), signal);
      await observeQuotas(options, queue, counted, signal);
      await untilAborted(signal);
      await queue.idle();
    },
  };
}

function observeQuotas(
  { client, onError }: ResourceQuotaOptions,
  queue: WorkQueue,
  counted: CountedResources,
  signal: AbortSignal,
): Promise<void> {
  const add = ({ namespace, name, entry, previous }: Omit<ObservedEvent, "type">): void => {
    counted.add(namespace, name, entry);
    const isSame = previous !== undefined && isSameState(specOf(entry), specOf(previous));
    queue.addAfter(`${namespace}/${name}`, isSame ? leakMs : settleMs);
  };
  return client.observe(
    resourceQuotas,
    {
      onList(quotas) {
        for (const quota of quotas) {
          add({ ...quota, previous: undefined });
        }
      },
      onEvent(event) {
        if (event.type === "DELETED") {
          counted.delete(event.namespace, event.name);
        } else {
          add(event);
        }
      },
      onError,
    },
    signal,
  );
}

function specOf(entry: CacheEntry): JsonObject {
  return objectAt(entry.object(), "spec");
}

async function reckon(options: ResourceQuotaOptions, key: string): Promise<WorkResult> {
  const { client, pendingCharges } = options;
  const [namespace = "", name = ""] = key.split("/", 2);
  const quota = await client.get(resourceQuotas, namespace, name);
  if (quota === undefined) {
    return undefined;
  }
  const isFirst = !isSet(quota, "status", "hard");
  const amounts = Object.keys(objectAt(quota, "spec", "hard"));
  const usage = await quotaUsage(options, { namespace, name, quota, amounts });
  const isUnderWay = pendingCharges.isPending(namespace);
  const used = Object.fromEntries([...usage].map(([resource, amount]) => [resource, amount.text]));
  const { resourceVersion } = metaOf(quota);
  let isLost = false;
  try {
    await client.update(resourceQuotas, { namespace, name, subresource: "status" }, (current) => {
      // What has been charged meanwhile is not in the sum.
      isLost = metaOf(current).resourceVersion !== resourceVersion;
      return isLost ? undefined : withUsage(current, used);
    });
  } catch (error) {
    if (!isNotFound(error)) {
      throw error;
    }
  }
  // Before a quota has a status nobody is charged: what has come since is counted once more.
  return isLost ? "retry" : { afterMs: isFirst || isUnderWay ? underWayMs : resyncMs };
}

/**
 * Returns the quota with its limits and usage as status; undefined when nothing changes. Unknown amounts keep their
 * value.
 */
function withUsage(quota: JsonObject, usage: JsonObject): JsonObject | undefined {
  const hard = objectAt(quota, "spec", "hard");
  const before = objectAt(quota, "status", "used");
  const used: JsonObject = {};
  for (const name of Object.keys(hard)) {
    const amount = usage[name] ?? before[name];
    if (amount !== undefined) {
      used[name] = amount;
    }
  }
  const isTold = isSet(quota, "status", "hard") && isSet(quota, "status", "used");
  if (isTold && isSameState(hard, objectAt(quota, "status", "hard")) && areSameAmounts(used, before)) {
    return undefined;
  }
  return { ...quota, status: { hard, used } };
}

function areSameAmounts(a: JsonObject, b: JsonObject): boolean {
  const [left, right] = [resourceList(a), resourceList(b)];
  return (
    left.size === right.size &&
    [...left].every(([name, amount]) => {
      const other = right.get(name);
      return other !== undefined && compareQuantity(amount, other) === 0;
    })
  );
}
