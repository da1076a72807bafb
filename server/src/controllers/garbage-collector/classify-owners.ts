import { metaOf } from "@gatehouse/apiserver/objects";
import { foregroundFinalizer } from "@gatehouse/apiserver/verbs";
import type { AggregatedClient } from "../../aggregation/aggregated-object-client.js";
import type { OwnerReference } from "./owner-reference.js";

/** The owners of an object by their state. */
export interface ClassifiedOwners {
  /** Owners that exist: the object is not garbage. */
  readonly solid: readonly OwnerReference[];
  /** Owners that do not exist (any more), or are another object of the same name. */
  readonly dangling: readonly OwnerReference[];
  /** Owners that are being deleted and wait until their dependents are gone. */
  readonly waiting: readonly OwnerReference[];
}

/**
 * Classifies the owners by a fresh read. `unknown` when a kind is not served here; `misplaced` when a cluster-scoped
 * object names a namespaced owner, which can never be right.
 */
export async function classifyOwners(
  client: AggregatedClient,
  namespace: string,
  references: readonly OwnerReference[],
): Promise<ClassifiedOwners | "unknown" | "misplaced"> {
  const found = { solid: [], dangling: [], waiting: [] } as Record<keyof ClassifiedOwners, OwnerReference[]>;
  for (const reference of references) {
    const resource = client.findKind(reference.apiVersion, reference.kind);
    if (resource === undefined) {
      return "unknown";
    }
    if (resource.namespaced && namespace === "") {
      return "misplaced";
    }
    const owner = await client.get(resource, resource.namespaced ? namespace : "", reference.name);
    const meta = owner === undefined ? undefined : metaOf(owner);
    if (meta === undefined || meta.uid !== reference.uid) {
      found.dangling.push(reference);
    } else if (meta.deletionTimestamp !== undefined && meta.finalizers?.includes(foregroundFinalizer) === true) {
      found.waiting.push(reference);
    } else {
      found.solid.push(reference);
    }
  }
  return found;
}
