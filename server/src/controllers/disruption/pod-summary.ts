import { isConditionTrue, metaOf } from "@gatehouse/apiserver/objects";
import type { CacheEntry } from "@gatehouse/apiserver/storage";
import { booleanAt, type JsonObject, listAt } from "@gatehouse/envelopes/json";

/** The facts about a pod that budgets depend on. */
export interface PodSummary {
  readonly name: string;
  readonly isTerminating: boolean;
  readonly isReady: boolean;
  /** The owner reference of the controller of the pod. */
  readonly controller: JsonObject | undefined;
}

/** Summaries by state of a pod, so that each is parsed once. */
const summaries = new WeakMap<CacheEntry, PodSummary>();

/** Returns the summary of a pod. */
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

/** Returns the owner that controls an object, from its metadata; there is at most one. */
export function controllerOf(metadata: JsonObject): JsonObject | undefined {
  const owner = listAt(metadata, "ownerReferences").find((reference) => booleanAt(reference, "controller"));
  return owner as JsonObject | undefined;
}
