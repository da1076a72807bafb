import { type KindDefinition, statusSubresource } from "@gatehouse/apiserver/registry";
import { persistentVolumeColumns } from "./columns.js";
import { persistentVolumeStrategy } from "./strategy.js";
import { persistentVolumeValidation } from "./validation.js";
import { persistentVolumeWarnings } from "./warnings.js";

/** The definition of PersistentVolume, storage of the cluster. A deletion answers with the volume. */
export const persistentVolumeDefinition: KindDefinition = {
  resource: "persistentvolumes",
  kind: "PersistentVolume",
  namespaced: false,
  metadataRechecks: "inValidation",
  shortNames: ["pv"],
  subresources: [statusSubresource],
  storageVersionHash: "HN/zwEC+JgM=",
  returnsDeletedObject: true,
  table: persistentVolumeColumns,
  warnings: persistentVolumeWarnings,
  validation: persistentVolumeValidation,
  ...persistentVolumeStrategy,
};
