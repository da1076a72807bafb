import { sameShape } from "@gatehouse/apiserver/conversion";
import { generationOfSpec, type KindDefinition, statusSubresource } from "@gatehouse/apiserver/registry";
import { keepAllMetadata } from "../keep-all-metadata.js";
import { flowSchemaColumns } from "./columns.js";
import { flowSchemaValidation } from "./validation/index.js";

/** The definition of FlowSchema in v1beta3, whose form is stored. */
export const flowSchemaDefinition: KindDefinition = {
  resource: "flowschemas",
  kind: "FlowSchema",
  namespaced: false,
  subresources: [statusSubresource],
  storageVersionHash: "9NnFrw7ZEmA=",
  table: flowSchemaColumns,
  strategy: {
    validation: flowSchemaValidation,
    metadata: { rechecks: ["object"] },
    generation: generationOfSpec,
    status: { resetFields: ["metadata", "spec"], prepareForUpdate: keepAllMetadata },
  },
};

/** The definition of FlowSchema in v1, stored in the form of v1beta3. */
export const flowSchemaV1Definition: KindDefinition = {
  ...flowSchemaDefinition,
  storage: { version: "v1beta3" },
  conversion: sameShape,
};
