import type { ResourceRow } from "../../define-resource.js";
import { controllerRevisionTable } from "./columns.js";

/** Old templates, which StatefulSets and DaemonSets can go back to. All generic rules hold. */
export const controllerRevisionRow: ResourceRow = {
  resource: "controllerrevisions",
  kind: "ControllerRevision",
  namespaced: true,
  storageVersionHash: "85nkx63pcBU=",
  table: controllerRevisionTable,
};
