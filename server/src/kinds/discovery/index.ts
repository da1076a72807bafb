import { defineResources, type ResourceDefinition } from "@gatehouse/apiserver/registry";
import { endpointSliceDefinition } from "./endpoint-slice/definition.js";

/** The resources of discovery.k8s.io: endpoint slices. */
export const discoveryResources: readonly ResourceDefinition[] = defineResources("discovery.k8s.io", "v1", [
  endpointSliceDefinition,
]);
