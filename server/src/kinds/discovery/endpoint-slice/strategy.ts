import type { ResourceStrategy } from "@gatehouse/apiserver/registry";
import { type JsonObject, listAt, textAt } from "@gatehouse/envelopes";

/** Kept for objects written by the beta API; what is written through v1 has no such member. */
function dropDeprecatedTopology(slice: JsonObject): void {
  for (const endpoint of listAt(slice, "endpoints")) {
    delete (endpoint as JsonObject)["deprecatedTopology"];
  }
}

/** Everything but metadata is desired state, labels are, too; a new slice of host names gets a warning. */
export const endpointSliceStrategy: ResourceStrategy = {
  desiredState: ["addressType", "endpoints", "ports", "metadata.labels"],
  prepareForCreate: dropDeprecatedTopology,
  prepareForUpdate: dropDeprecatedTopology,
  warnings: (slice, old) =>
    old === undefined && textAt(slice, "addressType") === "FQDN"
      ? ["spec.addressType: FQDN endpoints are deprecated"]
      : [],
};
