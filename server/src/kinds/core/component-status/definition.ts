import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { componentStatusColumns } from "./columns.js";

/**
 * The definition of ComponentStatus, the health of a part of the control plane, determined by each read; deprecated
 * since v1.19.
 */
export const componentStatusDefinition: KindDefinition = {
  resource: "componentstatuses",
  kind: "ComponentStatus",
  namespaced: false,
  shortNames: ["cs"],
  verbs: ["get", "list"],
  storage: false,
  table: componentStatusColumns,
};
