import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { endpointsTable } from "./columns.js";
import { endpointsRules } from "./rules.js";

/** The definition of Endpoints, the older form of EndpointSlice. Stored under `services/endpoints`. */
export const endpointsRow: ResourceRow = {
  resource: "endpoints",
  kind: "Endpoints",
  namespaced: true,
  shortNames: ["ep"],
  storage: { prefix: "services/endpoints" },
  storageVersionHash: "fWeeMqaN/OA=",
  allowCreateOnUpdate: true,
  table: endpointsTable,
  rules: endpointsRules,
};
