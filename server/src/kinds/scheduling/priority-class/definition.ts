import { generationOf, type KindDefinition } from "@gatehouse/apiserver/registry";
import { priorityClassColumns } from "./columns.js";
import { priorityClassValidation } from "./validation.js";

/** The definition of PriorityClass, a pod priority with a name. */
export const priorityClassDefinition: KindDefinition = {
  resource: "priorityclasses",
  kind: "PriorityClass",
  namespaced: false,
  shortNames: ["pc"],
  storageVersionHash: "1QwjyaZjj3Y=",
  table: priorityClassColumns,
  strategy: {
    validation: priorityClassValidation,
    metadata: { rechecks: ["change"] },
    generation: generationOf(),
  },
};
