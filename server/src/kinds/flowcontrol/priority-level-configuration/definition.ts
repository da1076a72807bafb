import { type ResourceRow, statusSubresource } from "@gatehouse/apiserver/registry";
import { preserveZeroSharesAnnotation } from "@gatehouse/envelopes/kind-defaults";
import { priorityLevelConfigurationTable } from "./columns.js";
import { markZeroShares, priorityLevelConversion } from "./conversion.js";
import { priorityLevelConfigurationRules, priorityLevelConfigurationV1Rules } from "./rules/rules.js";

/**
 * The definition of PriorityLevelConfiguration in v1beta3, whose form is stored. Tables and bare metadata leave out the
 * annotation that keeps the zero shares of v1.
 */
export const priorityLevelConfigurationRow: ResourceRow = {
  resource: "prioritylevelconfigurations",
  kind: "PriorityLevelConfiguration",
  resetFields: { status: ["metadata", "spec"] },
  namespaced: false,
  metadataRechecks: ["object"],
  subresources: [statusSubresource],
  storageVersionHash: "+CwSrEWTDhc=",
  hasGeneration: true,
  metadataOnStatusUpdate: "allKept",
  table: priorityLevelConfigurationTable,
  hiddenAnnotations: [preserveZeroSharesAnnotation],
  rules: priorityLevelConfigurationRules,
  prepareForCreate: markZeroShares,
  prepareForUpdate: markZeroShares,
};

/** The definition of PriorityLevelConfiguration in v1, stored in the form of v1beta3. */
export const priorityLevelConfigurationV1Row: ResourceRow = {
  ...priorityLevelConfigurationRow,
  storage: { version: "v1beta3" },
  conversion: priorityLevelConversion,
  rules: priorityLevelConfigurationV1Rules,
  prepareForCreate: () => undefined,
  prepareForUpdate: () => undefined,
};
