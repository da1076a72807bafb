import type { JsonObject } from "@gatehouse/envelopes/json";
import type { ObjectSchema } from "@gatehouse/envelopes/schema";
import { copyMembers, metaOf } from "../../objects/object-meta.js";
import type { FeatureGates } from "../../options/feature-gates.js";
import { dropDisabledFields } from "./drop-disabled-fields.js";
import type { SubresourceStrategy } from "./update-strategy.js";

/**
 * The rules for an update of /status. Before they are applied, everything but status and metadata has been restored from
 * the replaced object.
 */
export interface StatusStrategy extends SubresourceStrategy {
  /** Removes members of features that are off, unless `old` has them. Default: wherever the schema has such members. */
  readonly dropDisabledFields: (
    schema: ObjectSchema,
    object: JsonObject,
    old: JsonObject,
    features: FeatureGates,
  ) => void;
}

/** The rules for an update of /status that a kind may replace or add. */
export type KindStatusStrategy = Partial<Omit<StatusStrategy, "validateUpdate">>;

/** Returns the rules for updates of /status of a kind that replaces or adds `own`. */
export function completeStatusStrategy(hasStatus: boolean, own: KindStatusStrategy = {}): StatusStrategy {
  return { dropDisabledFields, resetFields: hasStatus ? ["spec"] : [], ...own };
}

/** Names of the metadata that clients write. */
const clientMetadata = ["labels", "annotations", "finalizers", "ownerReferences"];

/**
 * Restores labels, annotations, finalizers and owner references: the preparation of /status for kinds whose metadata are
 * written through the object only.
 */
export function keepClientMetadata(object: JsonObject, old: JsonObject): void {
  copyMembers(metaOf(old), metaOf(object), clientMetadata);
}
