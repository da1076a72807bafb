import { metaOf } from "@gatehouse/apiserver/objects";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { RemoteObjects } from "../../aggregation/remote-objects.js";
import type { RemoteResource } from "../../aggregation/remote-requests.js";
import type { RemainingContent } from "./remaining-content.js";

/**
 * Deletes the objects in a namespace that other servers keep, and returns the rest. `isStillThat` tells whether the
 * namespace is still the one to be emptied; undefined is returned when it is not. As in v1.29, a group version whose
 * server cannot be asked is an error: it may have objects.
 */
export async function deleteRemoteContents(
  remote: RemoteObjects,
  namespace: string,
  isStillThat: () => Promise<boolean>,
): Promise<RemainingContent | undefined> {
  const byResource = new Map<string, number>();
  const byFinalizer = new Map<string, number>();
  const errors: string[] = [];
  const { known, failing } = remote.resources();
  for (const resource of known) {
    try {
      if ((await remote.list(resource, namespace)).length === 0) {
        continue;
      }
      if (!(await isStillThat())) {
        return undefined;
      }
      await remote.deleteAll(resource, namespace);
      count(resource, await remote.list(resource, namespace), { byResource, byFinalizer });
    } catch (error) {
      errors.push(error instanceof Error ? error.message : String(error));
    }
  }
  return { byResource, byFinalizer, errors, undiscovered: failing };
}

function count(
  { resource, group }: RemoteResource,
  left: readonly JsonObject[],
  { byResource, byFinalizer }: { readonly byResource: Map<string, number>; readonly byFinalizer: Map<string, number> },
): void {
  if (left.length === 0) {
    return;
  }
  byResource.set(`${resource}.${group}`, left.length);
  for (const finalizer of left.flatMap((object) => metaOf(object).finalizers ?? [])) {
    byFinalizer.set(finalizer, (byFinalizer.get(finalizer) ?? 0) + 1);
  }
}
