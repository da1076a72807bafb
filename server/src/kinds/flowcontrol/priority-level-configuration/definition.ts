import { type KindDefinition, statusSubresource } from "@gatehouse/apiserver/registry";
import { preserveZeroSharesAnnotation } from "@gatehouse/envelopes/kind-defaults";
import { priorityLevelConfigurationColumns } from "./columns.js";
import { markZeroShares, priorityLevelConversion } from "./conversion.js";
import { priorityLevelConfigurationV1Validation, priorityLevelConfigurationValidation } from "./validation/index.js";

/**
 * The definition of PriorityLevelConfiguration in v1beta3, whose form is stored. Tables and bare metadata leave out the
 * annotation that keeps the zero shares of v1.
 */
export const priorityLevelConfigurationDefinition: KindDefinition = {
  resource: "prioritylevelconfigurations",
  kind: "PriorityLevelConfiguration",
  resetFields: { status: ["metadata", "spec"] },
  namespaced: false,
  metadataRechecks: ["object"],
  subresources: [statusSubresource],
  storageVersionHash: "+CwSrEWTDhc=",
  hasGeneration: true,
  metadataOnStatusUpdate: "allKept",
  table: priorityLevelConfigurationColumns,
  hiddenAnnotations: [preserveZeroSharesAnnotation],
  validation: priorityLevelConfigurationValidation,
  prepareForCreate: markZeroShares,
  prepareForUpdate: markZeroShares,
};

/** The definition of PriorityLevelConfiguration in v1, stored in the form of v1beta3. */
export const priorityLevelConfigurationV1Definition: KindDefinition = {
  ...priorityLevelConfigurationDefinition,
  storage: { version: "v1beta3" },
  conversion: priorityLevelConversion,
  validation: priorityLevelConfigurationV1Validation,
  prepareForCreate: () => undefined,
  prepareForUpdate: () => undefined,
};
