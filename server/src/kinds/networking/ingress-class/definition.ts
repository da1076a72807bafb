import { generationOfSpec, type KindDefinition } from "@gatehouse/apiserver/registry";
import { ingressClassColumns } from "./columns.js";
import { ingressClassValidation } from "./validation.js";

/** The definition of IngressClass, whose controller serves ingresses. All generic rules hold. */
export const ingressClassDefinition: KindDefinition = {
  resource: "ingressclasses",
  kind: "IngressClass",
  namespaced: false,
  storageVersionHash: "l/iqIbDgFyQ=",
  table: ingressClassColumns,
  strategy: {
    validation: ingressClassValidation,
    metadata: { rechecks: "inValidation" },
    generation: generationOfSpec,
  },
};
