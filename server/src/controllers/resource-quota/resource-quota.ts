import { compareQuantity, type GroupResource, type JsonObject } from "@gatehouse/envelopes";
import { isSameState } from "../../objects/is-same-state.js";
import { isSet, objectAt } from "../../objects/json-fields.js";
import type { Controller } from "../controller.js";
import { resourceQuotas } from "../core-resources.js";
import { isTerminating } from "../entry-metadata.js";
import type { ObjectObserver, ObservedEvent } from "../object-client.js";
import { type ControllerOptions, untilAborted } from "../reconcile.js";
import { isNotFound } from "../status-errors.js";
import { WorkQueue, type WorkResult } from "../work-queue.js";
import { QuotaIndex, resourceKey } from "./quota-index.js";
import { quotaUsage } from "./quota-usage.js";
import { resourceList } from "./resource-list.js";

/** What the reckoning of quotas needs besides what every controller does. */
export interface ResourceQuotaOptions extends ControllerOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Many objects come and go together: their quota is reckoned once for all that happens in this time. */
const batchMs = 50;
/** Whoever writes a quota often does so again at once, by the version that the answer named: it is not ours to be first. */
const settleMs = 1000;
/** Pods end up using nothing without a change that tells of it, and kinds come to be served: as in v1.29. */
const resyncMs = 5 * 60_000;
const quotasAtATime = 5;
const terminalMarks = [Buffer.from('"phase":"Failed"'), Buffer.from('"phase":"Succeeded"')];

/** Keeps the status of ResourceQuotas: their limits, and how much of each is used. */
export function resourceQuota(options: ResourceQuotaOptions): Controller {
  return {
    name: "resourcequota-controller",
    async run(signal) {
      const queue = new WorkQueue({
        ...options,
        signal,
        concurrency: quotasAtATime,
        work: (key) => reckon(options, key),
      });
      await observeQuotas(options, queue, signal);
      await untilAborted(signal);
      await queue.idle();
    },
  };
}

/** Follows quotas, and whatever else one of them counts from then on. */
async function observeQuotas(options: ResourceQuotaOptions, queue: WorkQueue, signal: AbortSignal): Promise<void> {
  const { client, onError } = options;
  const index = new QuotaIndex();
  const followed = new Set<string>();
  const follow = (resource: GroupResource): void => {
    const key = resourceKey(resource);
    if (followed.has(key) || client.find(resource) === undefined) {
      return;
    }
    followed.add(key);
    const addAll = (namespace: string): void => {
      for (const name of index.of(namespace, key)) {
        queue.addAfter(`${namespace}/${name}`, batchMs);
      }
    };
    const observer: ObjectObserver = {
      onList: (objects) => new Set(objects.map(({ namespace }) => namespace)).forEach(addAll),
      onEvent(event) {
        if (matters(key, event)) {
          addAll(event.namespace);
        }
      },
      onError,
    };
    client.observe(resource, observer, signal).catch((error: unknown) => {
      followed.delete(key);
      if (!signal.aborted) {
        onError(error);
      }
    });
  };
  const add = ({ namespace, name, entry }: Omit<ObservedEvent, "type" | "previous">): void => {
    index.set(namespace, name, entry).forEach(follow);
    queue.addAfter(`${namespace}/${name}`, settleMs);
  };
  await client.observe(
    resourceQuotas,
    {
      onList: (quotas) => quotas.forEach(add),
      onEvent(event) {
        if (event.type === "DELETED") {
          index.delete(event.namespace, event.name);
        } else {
          add(event);
        }
      },
      onError,
    },
    signal,
  );
}

/** Kinds that are only counted come and go; pods change often, but use something else only when they end. */
function matters(resource: string, { type, entry, previous }: ObservedEvent): boolean {
  if (type !== "MODIFIED" || resource === "/services" || resource === "/persistentvolumeclaims") {
    return true;
  }
  if (resource !== "/pods" || previous === undefined) {
    return false;
  }
  const hasEnded = terminalMarks.some((mark) => entry.bytes.includes(mark) !== previous.bytes.includes(mark));
  return hasEnded || isTerminating(entry) !== isTerminating(previous);
}

async function reckon({ client, now }: ResourceQuotaOptions, key: string): Promise<WorkResult> {
  const [namespace = "", name = ""] = key.split("/", 2);
  const quota = await client.get(resourceQuotas, namespace, name);
  if (quota === undefined) {
    return undefined;
  }
  const names = Object.keys(objectAt(quota, "spec", "hard"));
  const usage = await quotaUsage(client, namespace, quota, names, now());
  const used = Object.fromEntries([...usage].map(([resource, amount]) => [resource, amount.text]));
  try {
    const target = { namespace, name, subresource: "status" };
    await client.update(resourceQuotas, target, (current) => withUsage(current, used));
  } catch (error) {
    if (!isNotFound(error)) {
      throw error;
    }
  }
  return { afterMs: resyncMs };
}

/** The quota with what is used of what it limits; undefined when it says so already. What is not known stays. */
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
