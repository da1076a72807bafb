import { generationOf, type KindStrategy } from "@gatehouse/apiserver/registry";
import { type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { endpointSliceValidation } from "./validation.js";

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
export const endpointSliceStrategy: KindStrategy = {
  validation: endpointSliceValidation,
  warnings: (slice, old) =>
    old === undefined && textAt(slice, "addressType") === "FQDN"
      ? ["spec.addressType: FQDN endpoints are deprecated"]
      : [],
  metadata: { rechecks: ["object"] },
  generation: generationOf("addressType", "endpoints", "ports", "metadata.labels"),
  create: { prepareForCreate: dropDeprecatedTopology },
  update: { prepareForUpdate: dropDeprecatedTopology },
};
