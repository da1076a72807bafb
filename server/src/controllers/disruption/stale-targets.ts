import {
  isTerminating,
  type ObjectClient,
  type ObservedObject,
  WorkQueue,
  type WorkResult,
} from "@gatehouse/apiserver/client";
import { metaOf, setCondition, timestamp } from "@gatehouse/apiserver/objects";
import { conditionOfType, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { hasEnded } from "../../pods/has-ended.js";
import { pods } from "../core-resources.js";
import type { DisruptionOptions } from "./disruption-options.js";

/** Milliseconds after which a pod that was to be disrupted stays, as in v1.29. */
const staleMs = 120_000;
const podsAtATime = 4;
const type = "DisruptionTarget";
const mark = Buffer.from(`"${type}"`);

/** Takes the condition DisruptionTarget back from pods whose disruption has not come. */
export class StaleTargets {
  readonly #isEnabled: boolean;
  readonly #queue: WorkQueue;

  constructor(options: DisruptionOptions, signal: AbortSignal) {
    this.#isEnabled = options.features.enabled("PodDisruptionConditions");
    this.#queue = new WorkQueue({
      ...options,
      signal,
      concurrency: podsAtATime,
      work: (key) => takeBack(options.client, options.now, key),
    });
  }

  /** Looks at a pod now and, if it is a target then, when that is stale. */
  note({ namespace, name, entry }: ObservedObject): void {
    if (this.#isEnabled && entry.bytes.includes(mark) && !isTerminating(entry)) {
      this.#queue.add(`${namespace}/${name}`);
    }
  }

  /** Resolves when nothing is being written. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }
}

async function takeBack(client: ObjectClient, now: () => number, key: string): Promise<WorkResult> {
  const [namespace = "", name = ""] = key.split("/", 2);
  const pod = await client.get(pods, namespace, name);
  const staleAt = pod === undefined ? undefined : staleTimeOf(pod);
  if (staleAt === undefined) {
    return undefined;
  }
  if (staleAt > now()) {
    return { afterMs: staleAt - now() + 1 };
  }
  await client.update(pods, { namespace, name, subresource: "status" }, (current) => {
    const at = staleTimeOf(current);
    if (at === undefined || at > now()) {
      return undefined;
    }
    setCondition(current, { type, status: "False", lastProbeTime: null }, timestamp(now()));
    return current;
  });
  return undefined;
}

/** Returns the time in milliseconds at which a pod stops being a target; undefined when it is none, or will end. */
function staleTimeOf(pod: JsonObject): number | undefined {
  const condition = conditionOfType(listAt(pod, "status", "conditions"), type);
  if (condition?.["status"] !== "True" || hasEnded(pod) || metaOf(pod).deletionTimestamp !== undefined) {
    return undefined;
  }
  const since = Date.parse(textAt(condition, "lastTransitionTime"));
  return Number.isNaN(since) ? 0 : since + staleMs;
}
