import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { runtimeClassTable } from "./columns.js";
import { runtimeClassRules } from "./rules.js";
import { runtimeClassWarnings } from "./warnings.js";

/** How pods of a class are run. A PUT may make one; one that changes it must say which version it replaces. */
export const runtimeClassRow: ResourceRow = {
  resource: "runtimeclasses",
  kind: "RuntimeClass",
  namespaced: false,
  metadataRechecks: "inRules",
  finalizerRule: "any",
  storageVersionHash: "WQTu1GL3T2Q=",
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  table: runtimeClassTable,
  rules: runtimeClassRules,
  warnings: runtimeClassWarnings,
};
