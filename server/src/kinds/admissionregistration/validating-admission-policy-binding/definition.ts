import { sameShape } from "@gatehouse/apiserver/conversion";
import { generationOfSpec, type KindDefinition } from "@gatehouse/apiserver/registry";
import { guardParamRef } from "../param-access.js";
import { validatingAdmissionPolicyBindingColumns } from "./columns.js";
import { validatingAdmissionPolicyBindingValidation } from "./validation.js";

/** The definition of ValidatingAdmissionPolicyBinding in v1beta1. Beta APIs are served only on request. */
export const validatingAdmissionPolicyBindingDefinition: KindDefinition = {
  resource: "validatingadmissionpolicybindings",
  kind: "ValidatingAdmissionPolicyBinding",
  namespaced: false,
  categories: ["api-extensions"],
  storageVersionHash: "XYju31JKYek=",
  servedByDefault: false,
  table: validatingAdmissionPolicyBindingColumns,
  strategy: {
    validation: validatingAdmissionPolicyBindingValidation,
    metadata: { rechecks: ["object"], knownFinalizersOnly: false },
    generation: generationOfSpec,
    create: { authorizeValid: guardParamRef },
    update: { allowUnconditionalUpdate: false, authorizeValid: guardParamRef },
  },
};

/** The definition of ValidatingAdmissionPolicyBinding in v1alpha1, stored in the form of v1beta1. */
export const validatingAdmissionPolicyBindingAlphaDefinition: KindDefinition = {
  ...validatingAdmissionPolicyBindingDefinition,
  storage: { version: "v1beta1" },
  conversion: sameShape,
};
