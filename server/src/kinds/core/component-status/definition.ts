import type { ResourceRow } from "../../define-resource.js";
import { componentStatusTable } from "./columns.js";

export const componentStatusRow: ResourceRow = {
  resource: "componentstatuses",
  kind: "ComponentStatus",
  namespaced: false,
  shortNames: ["cs"],
  verbs: ["get", "list"],
  storage: false,
  table: componentStatusTable,
};
