import type { JsonObject } from "@gatehouse/envelopes/json";
import { copyMembers, metaOf, type ObjectMeta } from "../../objects/object-meta.js";
import type { StrategyContext } from "../../registry/resource-definition.js";
import type { ServedResource } from "../../registry/served-resource.js";
import { dropDisabledFields } from "./drop-disabled-fields.js";

const serverOwned = ["creationTimestamp", "generation", "selfLink"];
/**
 * Names of the metadata that a deletion has set, and that an update neither removes nor sets: validation refuses an
 * attempt.
 */
const setByDeletion = ["deletionTimestamp", "deletionGracePeriodSeconds"];

/** Names of the metadata that clients write. */
const clientMetadata = ["labels", "annotations", "finalizers", "ownerReferences"];

/**
 * Restores the members that a write must not change: status belongs to /status, everything else to the main resource,
 * and some metadata to the server.
 */
export function keepWhatTheServerOwns(
  served: ServedResource,
  context: StrategyContext,
  object: JsonObject,
  old: JsonObject,
): void {
  const { definition } = served;
  const { subresource } = context;
  keepMetadata(metaOf(object), metaOf(old));
  if (subresource === "status") {
    keepAllButStatus(served, object, old);
    if (definition.disabledFieldsOnStatusUpdate !== "written") {
      dropDisabledFields(served.schema, object, old, context.features);
    }
    definition.prepareForStatusUpdate?.(object, old, context);
    return;
  }
  if (definition.hasStatus && subresource === "") {
    copyMembers(old, object, ["status"]);
  }
  dropDisabledFields(served.schema, object, old, context.features);
  definition.prepareForUpdate?.(object, old, context);
  if (definition.hasGeneration && !served.form.isSameDesiredState(object, old, definition)) {
    metaOf(object).generation = Number(metaOf(old).generation ?? 0) + 1;
  }
}

function keepMetadata(meta: ObjectMeta, old: ObjectMeta): void {
  copyMembers(old, meta, serverOwned);
  copyMembers(
    old,
    meta,
    setByDeletion.filter((member) => old[member] !== undefined),
  );
  if ((meta.uid ?? "") === "") {
    meta.uid = old.uid as string;
  }
}

function keepAllButStatus(served: ServedResource, object: JsonObject, old: JsonObject): void {
  for (const key of new Set([...Object.keys(object), ...Object.keys(old)])) {
    if (key !== "status" && key !== "metadata") {
      copyMembers(old, object, [key]);
    }
  }
  const { metadataOnStatusUpdate } = served.definition;
  if (metadataOnStatusUpdate !== "written") {
    copyMembers(metaOf(old), metaOf(object), clientMetadata);
  }
  if (metadataOnStatusUpdate === "allKept") {
    copyMembers(metaOf(old), metaOf(object), ["generateName", ...setByDeletion]);
  }
}
