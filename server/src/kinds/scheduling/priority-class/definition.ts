import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { priorityClassColumns } from "./columns.js";
import { priorityClassValidation } from "./validation.js";

/** The definition of PriorityClass, a pod priority with a name. */
export const priorityClassDefinition: KindDefinition = {
  resource: "priorityclasses",
  kind: "PriorityClass",
  namespaced: false,
  metadataRechecks: ["change"],
  shortNames: ["pc"],
  storageVersionHash: "1QwjyaZjj3Y=",
  // The generation is always 1.
  hasGeneration: true,
  desiredState: [],
  table: priorityClassColumns,
  validation: priorityClassValidation,
};
