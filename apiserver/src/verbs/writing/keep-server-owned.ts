import type { JsonObject } from "@gatehouse/envelopes/json";
import { copyMembers, metaOf, type ObjectMeta } from "../../objects/object-meta.js";
import type { ServedResource } from "../../registry/served-resource.js";
import { dropDisabledFields } from "../../registry/strategies/drop-disabled-fields.js";
import { writeStrategyOf } from "../../registry/strategies/resource-strategy.js";
import type { StrategyContext } from "../../registry/strategies/strategy-context.js";

const serverOwned = ["creationTimestamp", "generation", "selfLink"];

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
  const { strategy } = served.definition;
  const { update, status, generation } = strategy;
  const { subresource, features } = context;
  keepMetadata(metaOf(object), metaOf(old));
  if (subresource === "status") {
    keepAllButStatus(object, old);
    status.dropDisabledFields(served.schema, object, old, features);
    status.prepareForUpdate?.(object, old, context);
    return;
  }
  if (subresource === "") {
    update.resetStatus?.(object, old);
  }
  dropDisabledFields(served.schema, object, old, features);
  writeStrategyOf(strategy, subresource).prepareForUpdate?.(object, old, context);
  if (generation?.isSameDesiredState(served.schema, object, old) === false) {
    metaOf(object).generation = Number(metaOf(old).generation ?? 0) + 1;
  }
}

function keepMetadata(meta: ObjectMeta, old: ObjectMeta): void {
  copyMembers(old, meta, serverOwned);
  // An update neither sets nor removes what a deletion has set, and validation refuses an attempt. It may state any time of an
  // object that is being deleted, but no other grace period.
  if (old.deletionTimestamp !== undefined) {
    meta.deletionTimestamp = old.deletionTimestamp;
  }
  if (old.deletionGracePeriodSeconds !== undefined) {
    meta.deletionGracePeriodSeconds ??= old.deletionGracePeriodSeconds;
  }
  if ((meta.uid ?? "") === "") {
    meta.uid = old.uid as string;
  }
}

function keepAllButStatus(object: JsonObject, old: JsonObject): void {
  for (const key of new Set([...Object.keys(object), ...Object.keys(old)])) {
    if (key !== "status" && key !== "metadata") {
      copyMembers(old, object, [key]);
    }
  }
}
