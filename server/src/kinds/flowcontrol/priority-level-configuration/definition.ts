import {
  generationOfSpec,
  type KindDefinition,
  type KindStrategy,
  statusSubresource,
} from "@gatehouse/apiserver/registry";
import { preserveZeroSharesAnnotation } from "@gatehouse/envelopes/kind-defaults";
import { keepAllMetadata } from "../keep-all-metadata.js";
import { priorityLevelConfigurationColumns } from "./columns.js";
import { markZeroShares, priorityLevelConversion } from "./conversion.js";
import { priorityLevelConfigurationV1Validation, priorityLevelConfigurationValidation } from "./validation/index.js";

/** The strategy of PriorityLevelConfiguration in v1. */
const v1Strategy: KindStrategy = {
  validation: priorityLevelConfigurationV1Validation,
  metadata: { rechecks: ["object"] },
  generation: generationOfSpec,
  status: { resetFields: ["metadata", "spec"], prepareForUpdate: keepAllMetadata },
};

/**
 * The definition of PriorityLevelConfiguration in v1beta3, whose form is stored. Tables and bare metadata leave out the
 * annotation that keeps the zero shares of v1.
 */
export const priorityLevelConfigurationDefinition: KindDefinition = {
  resource: "prioritylevelconfigurations",
  kind: "PriorityLevelConfiguration",
  namespaced: false,
  subresources: [statusSubresource],
  storageVersionHash: "+CwSrEWTDhc=",
  table: priorityLevelConfigurationColumns,
  hiddenAnnotations: [preserveZeroSharesAnnotation],
  strategy: {
    ...v1Strategy,
    validation: priorityLevelConfigurationValidation,
    create: { prepareForCreate: markZeroShares },
    update: { prepareForUpdate: markZeroShares },
  },
};

/** The definition of PriorityLevelConfiguration in v1, stored in the form of v1beta3. */
export const priorityLevelConfigurationV1Definition: KindDefinition = {
  ...priorityLevelConfigurationDefinition,
  storage: { version: "v1beta3" },
  conversion: priorityLevelConversion,
  strategy: v1Strategy,
};
