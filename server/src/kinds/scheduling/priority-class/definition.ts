import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { priorityClassTable } from "./columns.js";
import { priorityClassRules } from "./rules.js";

/** The definition of PriorityClass, a pod priority with a name. */
export const priorityClassRow: ResourceRow = {
  resource: "priorityclasses",
  kind: "PriorityClass",
  namespaced: false,
  metadataRechecks: ["change"],
  shortNames: ["pc"],
  storageVersionHash: "1QwjyaZjj3Y=",
  // The generation is always 1.
  hasGeneration: true,
  desiredState: [],
  table: priorityClassTable,
  rules: priorityClassRules,
};
