import type { ResourceRow } from "../../define-resource.js";
import { endpointSliceTable } from "./columns.js";
import { endpointSliceStrategy } from "./strategy.js";

export const endpointSliceRow: ResourceRow = {
  resource: "endpointslices",
  kind: "EndpointSlice",
  namespaced: true,
  storageVersionHash: "Nx3SIv6I0mE=",
  hasGeneration: true,
  table: endpointSliceTable,
  ...endpointSliceStrategy,
};
