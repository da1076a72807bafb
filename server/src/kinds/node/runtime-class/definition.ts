import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { runtimeClassTable } from "./columns.js";
import { runtimeClassRules } from "./rules.js";
import { runtimeClassWarnings } from "./warnings.js";

/**
 * The definition of RuntimeClass, the way to run pods of a class. A PUT may create one; an update must name the version
 * it replaces.
 */
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
