import { sameShape } from "@gatehouse/apiserver/conversion";
import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { validatingAdmissionPolicyBindingTable } from "./columns.js";
import { validatingAdmissionPolicyBindingRules } from "./rules.js";

/** The newer version. Beta APIs are served only on request. */
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

/** The older version, which is stored in the form of the newer. */
export const validatingAdmissionPolicyBindingAlphaRow: ResourceRow = {
  ...validatingAdmissionPolicyBindingRow,
  storage: { version: "v1beta1" },
  conversion: sameShape,
};
