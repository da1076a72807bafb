import { sameShape } from "@gatehouse/apiserver/conversion";
import {
  generationOfSpec,
  type KindDefinition,
  keepClientMetadata,
  statusSubresource,
} from "@gatehouse/apiserver/registry";
import { guardParamKind } from "../param-access.js";
import { validatingAdmissionPolicyColumns } from "./columns.js";
import { validatingAdmissionPolicyValidation } from "./validation/index.js";

/**
 * The definition of ValidatingAdmissionPolicy in v1beta1. Beta APIs are served only on request, and an update of
 * /status leaves the metadata alone.
 */
export const validatingAdmissionPolicyDefinition: KindDefinition = {
  resource: "validatingadmissionpolicies",
  kind: "ValidatingAdmissionPolicy",
  namespaced: false,
  categories: ["api-extensions"],
  subresources: [statusSubresource],
  storageVersionHash: "P/h9c6yIbaY=",
  servedByDefault: false,
  table: validatingAdmissionPolicyColumns,
  strategy: {
    validation: validatingAdmissionPolicyValidation,
    metadata: { rechecks: "inValidation", knownFinalizersOnly: false },
    generation: generationOfSpec,
    create: { authorizeValid: guardParamKind },
    update: { allowUnconditionalUpdate: false, authorizeValid: guardParamKind },
    status: { resetFields: ["metadata", "spec"], prepareForUpdate: keepClientMetadata },
  },
};

/** The definition of ValidatingAdmissionPolicy in v1alpha1, stored in the form of v1beta1. */
export const validatingAdmissionPolicyAlphaDefinition: KindDefinition = {
  ...validatingAdmissionPolicyDefinition,
  storage: { version: "v1beta1" },
  conversion: sameShape,
};
