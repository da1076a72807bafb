import { metaOf } from "@gatehouse/apiserver/objects";
import type { CacheEntry } from "@gatehouse/apiserver/storage";
import { conditionOfType, type JsonObject, listAt, objectAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { definitionOutline } from "./definition-outline.js";

/** The finalizer that holds a definition until its objects are gone. */
export const cleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

/** The annotation that names the approval of an API in a group of the Kubernetes community. */
export const approvalAnnotation = "api-approved.kubernetes.io";

/** The facts about a definition that its followers need, without its schemas, which may be very large. */
export interface DefinitionSummary {
  readonly uid: string;
  readonly generation: number;
  readonly group: string;
  /** The versions that are served, in the order of the definition. */
  readonly servedVersions: readonly string[];
  readonly isTerminating: boolean;
  /** True if the definition is being deleted and the finalizer of the cleanup holds it. */
  readonly awaitsCleanup: boolean;
  readonly approval: string | undefined;
  /** The names of `spec.names`. */
  readonly names: JsonObject;
  /** The names of `status.acceptedNames`. */
  readonly acceptedNames: JsonObject;
  /** Returns the condition of a type from `status.conditions`. */
  readonly condition: (type: string) => JsonObject | undefined;
}

const summaries = new WeakMap<CacheEntry, DefinitionSummary>();

/** Returns the summary of a state of a definition, made once for each state. */
export function definitionSummary(entry: CacheEntry, outline?: JsonObject): DefinitionSummary {
  let summary = summaries.get(entry);
  if (summary === undefined) {
    summary = summarize(outline ?? definitionOutline(entry));
    summaries.set(entry, summary);
  }
  return summary;
}

function summarize(definition: JsonObject): DefinitionSummary {
  const meta = metaOf(definition);
  const conditions = listAt(definition, "status", "conditions");
  const approval = valueAt(definition, "metadata", "annotations", approvalAnnotation);
  return {
    uid: meta.uid ?? "",
    generation: Number(meta.generation ?? 0),
    group: textAt(definition, "spec", "group"),
    servedVersions: listAt(definition, "spec", "versions")
      .filter((version) => valueAt(version, "served") === true)
      .map((version) => textAt(version, "name")),
    isTerminating: meta.deletionTimestamp !== undefined,
    awaitsCleanup: meta.deletionTimestamp !== undefined && meta.finalizers?.includes(cleanupFinalizer) === true,
    approval: typeof approval === "string" ? approval : undefined,
    names: objectAt(definition, "spec", "names"),
    acceptedNames: objectAt(definition, "status", "acceptedNames"),
    condition: (type) => conditionOfType(conditions, type),
  };
}

/** Reports whether a condition is present and true. */
export function hasTrueCondition(summary: DefinitionSummary, type: string): boolean {
  return summary.condition(type)?.["status"] === "True";
}
