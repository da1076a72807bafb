import { sameShape } from "@gatehouse/apiserver/conversion";
import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { validatingAdmissionPolicyBindingTable } from "./columns.js";
import { validatingAdmissionPolicyBindingRules } from "./rules.js";

/** The definition of ValidatingAdmissionPolicyBinding in v1beta1. Beta APIs are served only on request. */
export const validatingAdmissionPolicyBindingRow: ResourceRow = {
  resource: "validatingadmissionpolicybindings",
  kind: "ValidatingAdmissionPolicyBinding",
  namespaced: false,
  metadataRechecks: ["object"],
  finalizerRule: "any",
  categories: ["api-extensions"],
  storageVersionHash: "XYju31JKYek=",
  servedByDefault: false,
  allowUnconditionalUpdate: false,
  hasGeneration: true,
  table: validatingAdmissionPolicyBindingTable,
  rules: validatingAdmissionPolicyBindingRules,
};

/** The definition of ValidatingAdmissionPolicyBinding in v1alpha1, stored in the form of v1beta1. */
export const validatingAdmissionPolicyBindingAlphaRow: ResourceRow = {
  ...validatingAdmissionPolicyBindingRow,
  storage: { version: "v1beta1" },
  conversion: sameShape,
};
