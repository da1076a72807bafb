import { isConditionTrue, metaOf } from "@gatehouse/apiserver/objects";
import type { CacheEntry } from "@gatehouse/apiserver/storage";
import { booleanAt, type JsonObject, listAt } from "@gatehouse/envelopes";

/** All that a budget must know of a pod. */
export interface PodSummary {
  readonly name: string;
  readonly isTerminating: boolean;
  readonly isReady: boolean;
  /** The owner reference of what runs the pod. */
  readonly controller: JsonObject | undefined;
}

/** A version of a pod is looked into once, however often its budget is reckoned. */
const summaries = new WeakMap<CacheEntry, PodSummary>();

/** What a budget must know of a pod. */
export function podSummary(entry: CacheEntry): PodSummary {
  const known = summaries.get(entry);
  if (known !== undefined) {
    return known;
  }
  const pod = entry.object();
  const metadata = metaOf(pod);
  const summary: PodSummary = {
    name: metadata.name ?? "",
    isTerminating: metadata.deletionTimestamp !== undefined,
    isReady: isConditionTrue(pod, "Ready"),
    controller: controllerOf(metadata),
  };
  summaries.set(entry, summary);
  return summary;
}

/** The owner that controls an object, by its metadata; there is at most one. */
export function controllerOf(metadata: JsonObject): JsonObject | undefined {
  const owner = listAt(metadata, "ownerReferences").find((reference) => booleanAt(reference, "controller"));
  return owner as JsonObject | undefined;
}
