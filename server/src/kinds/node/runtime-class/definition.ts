import type { ResourceRow } from "../../define-resource.js";
import { runtimeClassTable } from "./columns.js";

export const runtimeClassRow: ResourceRow = {
  resource: "runtimeclasses",
  kind: "RuntimeClass",
  namespaced: false,
  storageVersionHash: "WQTu1GL3T2Q=",
  allowUnconditionalUpdate: false,
  table: runtimeClassTable,
};
