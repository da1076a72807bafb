import { sameShape } from "@gatehouse/apiserver/conversion";
import { type KindDefinition, statusSubresource } from "@gatehouse/apiserver/registry";
import { flowSchemaColumns } from "./columns.js";
import { flowSchemaValidation } from "./validation/index.js";

/** The definition of FlowSchema in v1beta3, whose form is stored. */
export const flowSchemaDefinition: KindDefinition = {
  resource: "flowschemas",
  kind: "FlowSchema",
  resetFields: { status: ["metadata", "spec"] },
  namespaced: false,
  metadataRechecks: ["object"],
  subresources: [statusSubresource],
  storageVersionHash: "9NnFrw7ZEmA=",
  hasGeneration: true,
  metadataOnStatusUpdate: "allKept",
  table: flowSchemaColumns,
  validation: flowSchemaValidation,
};

/** The definition of FlowSchema in v1, stored in the form of v1beta3. */
export const flowSchemaV1Definition: KindDefinition = {
  ...flowSchemaDefinition,
  storage: { version: "v1beta3" },
  conversion: sameShape,
};
