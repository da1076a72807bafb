import { timestamp } from "@gatehouse/apiserver/objects";
import { conditionOfType, type JsonObject, ownList, ownObject } from "@gatehouse/envelopes/json";
import type { RemainingContent } from "./remaining-content.js";

interface Verdict {
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

/** Conditions without a complaint, in the order in which they are listed. */
const fine: Readonly<Record<string, Verdict>> = {
  NamespaceDeletionDiscoveryFailure: no("ResourcesDiscovered", "All resources successfully discovered"),
  NamespaceDeletionGroupVersionParsingFailure: no("ParsedGroupVersions", "All legacy kube types successfully parsed"),
  NamespaceDeletionContentFailure: no(
    "ContentDeleted",
    "All content successfully deleted, may be waiting on finalization",
  ),
  NamespaceContentRemaining: no("ContentRemoved", "All content successfully removed"),
  NamespaceFinalizersRemaining: no("ContentHasNoFinalizers", "All content-preserving finalizers finished"),
};

function no(reason: string, message: string): Verdict {
  return { status: "False", reason, message };
}

function yes(reason: string, message: string): Verdict {
  return { status: "True", reason, message };
}

/**
 * Writes the progress of the deletion into the status of a terminating namespace: v1.29's conditions, with its reasons
 * and messages. False when nothing changes. Only the resources of other servers need discovery, which may fail.
 */
export function setDeletionConditions(namespace: JsonObject, remaining: RemainingContent, nowMs: number): boolean {
  const conditions = ownList(ownObject(namespace, "status"), "conditions");
  let changed = false;
  for (const [type, verdict] of Object.entries({ ...fine, ...complaints(remaining) })) {
    const known = conditionOfType(conditions, type);
    if (known === undefined) {
      conditions.push({ type, ...verdict, lastTransitionTime: timestamp(nowMs) });
      changed = true;
    } else if (!says(known, verdict)) {
      const turned = known["status"] !== verdict.status;
      Object.assign(known, verdict, turned ? { lastTransitionTime: timestamp(nowMs) } : {});
      changed = true;
    }
  }
  return changed;
}

function says(condition: JsonObject, { status, reason, message }: Verdict): boolean {
  return condition["status"] === status && condition["reason"] === reason && condition["message"] === message;
}

function complaints({ byResource, byFinalizer, errors, undiscovered }: RemainingContent): Record<string, Verdict> {
  const found: Record<string, Verdict> = {};
  if (undiscovered.length > 0) {
    const stale = undiscovered.map((name) => `${name}: stale GroupVersion discovery: ${name}`).join(", ");
    found["NamespaceDeletionDiscoveryFailure"] = yes(
      "DiscoveryFailed",
      `Discovery failed for some groups, ${undiscovered.length} failing: unable to retrieve the complete list of server APIs: ${stale}`,
    );
  }
  if (errors.length > 0) {
    found["NamespaceDeletionContentFailure"] = yes(
      "ContentDeletionFailed",
      `Failed to delete all resource types, ${errors.length} remaining: ${errors.toSorted().join(", ")}`,
    );
  }
  if (byResource.size > 0) {
    const items = [...byResource].map(([resource, count]) => `${resource} has ${count} resource instances`);
    found["NamespaceContentRemaining"] = yes(
      "SomeResourcesRemain",
      `Some resources are remaining: ${items.toSorted().join(", ")}`,
    );
  }
  if (byFinalizer.size > 0) {
    const items = [...byFinalizer].map(([finalizer, count]) => `${finalizer} in ${count} resource instances`);
    found["NamespaceFinalizersRemaining"] = yes(
      "SomeFinalizersRemain",
      `Some content in the namespace has finalizers remaining: ${items.toSorted().join(", ")}`,
    );
  }
  return found;
}
