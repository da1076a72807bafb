import { type ResourceRow, statusSubresource } from "@gatehouse/apiserver/registry";
import { storageVersionTable } from "./columns.js";
import { checkStorageVersionName, storageVersionRules } from "./rules.js";

/**
 * The definition of StorageVersion, the version in which each server of a cluster stores a resource (KEP-2339): alpha,
 * so served only on request.
 */
export const storageVersionRow: ResourceRow = {
  resource: "storageversions",
  kind: "StorageVersion",
  resetFields: { status: ["metadata", "spec"] },
  namespaced: false,
  metadataRechecks: "inRules",
  subresources: [statusSubresource],
  storageVersionHash: "c8YZt5U0nPk=",
  servedByDefault: false,
  nameRule: checkStorageVersionName,
  allowUnconditionalUpdate: false,
  metadataOnStatusUpdate: "kept",
  table: storageVersionTable,
  rules: storageVersionRules,
};
