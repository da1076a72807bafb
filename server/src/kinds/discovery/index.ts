import type { ResourceDefinition } from "../../catalogue/resource-definition.js";
import { defineResources } from "../define-resource.js";
import { endpointSliceRow } from "./endpoint-slice/definition.js";

/** The resources of discovery.k8s.io: endpoint slices. */
export const discoveryResources: readonly ResourceDefinition[] = defineResources("discovery.k8s.io", "v1", [
  endpointSliceRow,
]);
