import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { componentStatusTable } from "./columns.js";

/** The health of parts of the control plane, found out when somebody reads it; deprecated since v1.19. */
export const componentStatusRow: ResourceRow = {
  resource: "componentstatuses",
  kind: "ComponentStatus",
  namespaced: false,
  shortNames: ["cs"],
  verbs: ["get", "list"],
  storage: false,
  table: componentStatusTable,
};
