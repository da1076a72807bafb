import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { endpointSliceColumns } from "./columns.js";
import { endpointSliceStrategy } from "./strategy.js";

/**
 * The definition of EndpointSlice, a part of the endpoints of a service. It has no spec: its strategy defines which
 * changes count.
 */
export const endpointSliceDefinition: KindDefinition = {
  resource: "endpointslices",
  kind: "EndpointSlice",
  namespaced: true,
  storageVersionHash: "Nx3SIv6I0mE=",
  table: endpointSliceColumns,
  strategy: endpointSliceStrategy,
};
