import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { controllerRevisionTable } from "./columns.js";
import { controllerRevisionRules } from "./rules.js";

/** The definition of ControllerRevision, an old template that a StatefulSet or DaemonSet can go back to. */
export const controllerRevisionRow: ResourceRow = {
  resource: "controllerrevisions",
  kind: "ControllerRevision",
  namespaced: true,
  storageVersionHash: "85nkx63pcBU=",
  table: controllerRevisionTable,
  rules: controllerRevisionRules,
};
