import type { JsonObject } from "@gatehouse/envelopes";
import type { ResourceDefinition } from "../catalogue/resource-definition.js";
import { listAt, valueAt } from "../objects/json-fields.js";
import { defineResources } from "./define-resource.js";

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

/** Endpoint slices. */
export const discoveryResources: readonly ResourceDefinition[] = defineResources("discovery.k8s.io", "v1", [
  {
    resource: "endpointslices",
    kind: "EndpointSlice",
    namespaced: true,
    storageVersionHash: "Nx3SIv6I0mE=",
    hasGeneration: true,
    desiredState: everythingButMetadataAndLabels,
    prepareForCreate: dropDeprecatedTopology,
    prepareForUpdate: dropDeprecatedTopology,
  },
]);
