import { sameShape } from "@gatehouse/apiserver/conversion";
import { type ResourceRow, statusSubresource } from "@gatehouse/apiserver/registry";
import { validatingAdmissionPolicyTable } from "./columns.js";
import { validatingAdmissionPolicyRules } from "./rules/rules.js";

/**
 * The definition of ValidatingAdmissionPolicy in v1beta1. Beta APIs are served only on request, and an update of
 * /status leaves the metadata alone.
 */
export const validatingAdmissionPolicyRow: ResourceRow = {
  resource: "validatingadmissionpolicies",
  kind: "ValidatingAdmissionPolicy",
  resetFields: { status: ["metadata", "spec"] },
  namespaced: false,
  metadataRechecks: "inRules",
  finalizerRule: "any",
  categories: ["api-extensions"],
  subresources: [statusSubresource],
  storageVersionHash: "P/h9c6yIbaY=",
  servedByDefault: false,
  allowUnconditionalUpdate: false,
  hasGeneration: true,
  metadataOnStatusUpdate: "kept",
  table: validatingAdmissionPolicyTable,
  rules: validatingAdmissionPolicyRules,
};

/** The definition of ValidatingAdmissionPolicy in v1alpha1, stored in the form of v1beta1. */
export const validatingAdmissionPolicyAlphaRow: ResourceRow = {
  ...validatingAdmissionPolicyRow,
  storage: { version: "v1beta1" },
  conversion: sameShape,
};
