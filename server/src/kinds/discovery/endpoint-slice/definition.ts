import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { endpointSliceColumns } from "./columns.js";
import { endpointSliceStrategy } from "./strategy.js";
import { endpointSliceValidation } from "./validation.js";

/**
 * The definition of EndpointSlice, a part of the endpoints of a service. It has no spec: its strategy defines which
 * changes count.
 */
export const endpointSliceDefinition: KindDefinition = {
  resource: "endpointslices",
  kind: "EndpointSlice",
  namespaced: true,
  metadataRechecks: ["object"],
  storageVersionHash: "Nx3SIv6I0mE=",
  hasGeneration: true,
  table: endpointSliceColumns,
  validation: endpointSliceValidation,
  ...endpointSliceStrategy,
};
