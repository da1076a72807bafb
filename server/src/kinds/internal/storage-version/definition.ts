import { type KindDefinition, statusSubresource } from "@gatehouse/apiserver/registry";
import { storageVersionColumns } from "./columns.js";
import { storageVersionValidation, validateStorageVersionName } from "./validation.js";

/**
 * The definition of StorageVersion, the version in which each server of a cluster stores a resource (KEP-2339): alpha,
 * so served only on request.
 */
export const storageVersionDefinition: KindDefinition = {
  resource: "storageversions",
  kind: "StorageVersion",
  resetFields: { status: ["metadata", "spec"] },
  namespaced: false,
  metadataRechecks: "inValidation",
  subresources: [statusSubresource],
  storageVersionHash: "c8YZt5U0nPk=",
  servedByDefault: false,
  nameFormat: validateStorageVersionName,
  allowUnconditionalUpdate: false,
  metadataOnStatusUpdate: "kept",
  table: storageVersionColumns,
  validation: storageVersionValidation,
};
