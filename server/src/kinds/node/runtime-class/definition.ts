import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { runtimeClassColumns } from "./columns.js";
import { runtimeClassValidation } from "./validation.js";
import { runtimeClassWarnings } from "./warnings.js";

/**
 * The definition of RuntimeClass, the way to run pods of a class. A PUT may create one; an update must name the version
 * it replaces.
 */
export const runtimeClassDefinition: KindDefinition = {
  resource: "runtimeclasses",
  kind: "RuntimeClass",
  namespaced: false,
  storageVersionHash: "WQTu1GL3T2Q=",
  table: runtimeClassColumns,
  strategy: {
    validation: runtimeClassValidation,
    warnings: runtimeClassWarnings,
    metadata: { rechecks: "inValidation", knownFinalizersOnly: false },
    update: { allowCreateOnUpdate: true, allowUnconditionalUpdate: false },
  },
};
