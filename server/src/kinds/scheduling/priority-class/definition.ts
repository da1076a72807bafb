import type { ResourceRow } from "../../define-resource.js";
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
  hasGeneration: true,
  desiredState: nothing,
  table: priorityClassTable,
  rules: priorityClassRules,
};

/** The generation of a priority class is 1 for ever. */
function nothing(): undefined {
  return undefined;
}
