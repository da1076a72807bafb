import type { JsonObject } from "@gatehouse/envelopes";
import type { ResourceStrategy } from "../../../catalogue/resource-definition.js";
import { listAt, textAt, valueAt } from "../../../objects/json-fields.js";

/** Slices have no spec: everything that is not metadata is desired state, and so are their labels. */
function everythingButMetadataAndLabels(slice: JsonObject): JsonObject {
  const { metadata: _metadata, kind: _kind, apiVersion: _apiVersion, ...state } = slice;
  return { ...state, labels: valueAt(slice, "metadata", "labels") };
}

/** Kept for objects written by the beta API; what is written through v1 has no such member. */
function dropDeprecatedTopology(slice: JsonObject): void {
  for (const endpoint of listAt(slice, "endpoints")) {
    delete (endpoint as JsonObject)["deprecatedTopology"];
  }
}

/** Everything but metadata is desired state, labels are, too; a new slice of host names gets a warning. */
export const endpointSliceStrategy: ResourceStrategy = {
  desiredState: everythingButMetadataAndLabels,
  prepareForCreate: dropDeprecatedTopology,
  prepareForUpdate: dropDeprecatedTopology,
  warnings: (slice, old) =>
    old === undefined && textAt(slice, "addressType") === "FQDN"
      ? ["spec.addressType: FQDN endpoints are deprecated"]
      : [],
};
