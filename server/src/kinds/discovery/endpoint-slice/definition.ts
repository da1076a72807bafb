import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { endpointSliceTable } from "./columns.js";
import { endpointSliceRules } from "./rules.js";
import { endpointSliceStrategy } from "./strategy.js";

/** Where a service leads, in parts. It has no spec: see its strategy for what counts as a change. */
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
