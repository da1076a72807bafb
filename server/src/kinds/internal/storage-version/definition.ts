import { type KindDefinition, keepClientMetadata, statusSubresource } from "@gatehouse/apiserver/registry";
import { storageVersionColumns } from "./columns.js";
import { storageVersionValidation, validateStorageVersionName } from "./validation.js";

/**
 * The definition of StorageVersion, the version in which each server of a cluster stores a resource (KEP-2339): alpha,
 * so served only on request.
 */
export const storageVersionDefinition: KindDefinition = {
  resource: "storageversions",
  kind: "StorageVersion",
  namespaced: false,
  subresources: [statusSubresource],
  storageVersionHash: "c8YZt5U0nPk=",
  servedByDefault: false,
  table: storageVersionColumns,
  strategy: {
    validation: storageVersionValidation,
    metadata: { rechecks: "inValidation", validateName: validateStorageVersionName },
    update: { allowUnconditionalUpdate: false },
    status: { resetFields: ["metadata", "spec"], prepareForUpdate: keepClientMetadata },
  },
};
