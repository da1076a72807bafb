import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { endpointSliceTable } from "./columns.js";
import { endpointSliceRules } from "./rules.js";
import { endpointSliceStrategy } from "./strategy.js";

/**
 * The definition of EndpointSlice, a part of the endpoints of a service. It has no spec: its strategy defines which
 * changes count.
 */
export const endpointSliceRow: ResourceRow = {
  resource: "endpointslices",
  kind: "EndpointSlice",
  namespaced: true,
  metadataRechecks: ["object"],
  storageVersionHash: "Nx3SIv6I0mE=",
  hasGeneration: true,
  table: endpointSliceTable,
  rules: endpointSliceRules,
  ...endpointSliceStrategy,
};
