import { sameShape } from "@gatehouse/apiserver/conversion";
import { type ResourceRow, statusSubresource } from "@gatehouse/apiserver/registry";
import { flowSchemaTable } from "./columns.js";
import { flowSchemaRules } from "./rules/rules.js";

/** The definition of FlowSchema in v1beta3, whose form is stored. */
export const flowSchemaRow: ResourceRow = {
  resource: "flowschemas",
  kind: "FlowSchema",
  resetFields: { status: ["metadata", "spec"] },
  namespaced: false,
  metadataRechecks: ["object"],
  subresources: [statusSubresource],
  storageVersionHash: "9NnFrw7ZEmA=",
  hasGeneration: true,
  metadataOnStatusUpdate: "allKept",
  table: flowSchemaTable,
  rules: flowSchemaRules,
};

/** The definition of FlowSchema in v1, stored in the form of v1beta3. */
export const flowSchemaV1Row: ResourceRow = {
  ...flowSchemaRow,
  storage: { version: "v1beta3" },
  conversion: sameShape,
};
