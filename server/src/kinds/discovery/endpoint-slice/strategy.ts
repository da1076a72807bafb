import type { ResourceStrategy } from "@gatehouse/apiserver/registry";
import { type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";

/** Drops the deprecated topology: v1 has no such member, and only stored objects written by the beta API keep it. */
function dropDeprecatedTopology(slice: JsonObject): void {
  for (const endpoint of listAt(slice, "endpoints")) {
    delete (endpoint as JsonObject)["deprecatedTopology"];
  }
}

/**
 * The strategy of EndpointSlice: labels and all members but metadata are desired state; a new slice of host names gets
 * a warning.
 */
export const endpointSliceStrategy: ResourceStrategy = {
  desiredState: ["addressType", "endpoints", "ports", "metadata.labels"],
  prepareForCreate: dropDeprecatedTopology,
  prepareForUpdate: dropDeprecatedTopology,
  warnings: (slice, old) =>
    old === undefined && textAt(slice, "addressType") === "FQDN"
      ? ["spec.addressType: FQDN endpoints are deprecated"]
      : [],
};
