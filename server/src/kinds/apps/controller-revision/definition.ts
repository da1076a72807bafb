import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { controllerRevisionTable } from "./columns.js";
import { controllerRevisionRules } from "./rules.js";

/** Old templates, which StatefulSets and DaemonSets can go back to. */
export const controllerRevisionRow: ResourceRow = {
  resource: "controllerrevisions",
  kind: "ControllerRevision",
  namespaced: true,
  storageVersionHash: "85nkx63pcBU=",
  table: controllerRevisionTable,
  rules: controllerRevisionRules,
};
