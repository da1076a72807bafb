import { sameShape } from "@gatehouse/apiserver/conversion";
import { type ResourceRow, statusSubresource } from "@gatehouse/apiserver/registry";
import { validatingAdmissionPolicyTable } from "./columns.js";
import { validatingAdmissionPolicyRules } from "./rules/rules.js";

/** The newer version. Beta APIs are served only on request, and an update of /status leaves the metadata alone. */
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

/** The older version, which is stored in the form of the newer. */
export const validatingAdmissionPolicyAlphaRow: ResourceRow = {
  ...validatingAdmissionPolicyRow,
  storage: { version: "v1beta1" },
  conversion: sameShape,
};
