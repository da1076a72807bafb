import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { priorityClassTable } from "./columns.js";
import { priorityClassRules } from "./rules.js";

/** Priorities by name. */
export const priorityClassRow: ResourceRow = {
  resource: "priorityclasses",
  kind: "PriorityClass",
  namespaced: false,
  metadataRechecks: ["change"],
  shortNames: ["pc"],
  storageVersionHash: "1QwjyaZjj3Y=",
  // It is 1 for ever.
  hasGeneration: true,
  desiredState: [],
  table: priorityClassTable,
  rules: priorityClassRules,
};
