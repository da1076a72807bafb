import type { ResourceRow } from "../../define-resource.js";
import { controllerRevisionTable } from "./columns.js";

export const controllerRevisionRow: ResourceRow = {
  resource: "controllerrevisions",
  kind: "ControllerRevision",
  namespaced: true,
  storageVersionHash: "85nkx63pcBU=",
  table: controllerRevisionTable,
};
