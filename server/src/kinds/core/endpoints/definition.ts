import type { ResourceRow } from "../../define-resource.js";
import { endpointsTable } from "./columns.js";

export const endpointsRow: ResourceRow = {
  resource: "endpoints",
  kind: "Endpoints",
  namespaced: true,
  shortNames: ["ep"],
  storage: { prefix: "services/endpoints" },
  storageVersionHash: "fWeeMqaN/OA=",
  allowCreateOnUpdate: true,
  table: endpointsTable,
};
