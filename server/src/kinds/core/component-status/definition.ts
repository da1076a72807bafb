import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { componentStatusTable } from "./columns.js";

/**
 * The definition of ComponentStatus, the health of a part of the control plane, determined by each read; deprecated
 * since v1.19.
 */
export const componentStatusRow: ResourceRow = {
  resource: "componentstatuses",
  kind: "ComponentStatus",
  namespaced: false,
  shortNames: ["cs"],
  verbs: ["get", "list"],
  storage: false,
  table: componentStatusTable,
};
