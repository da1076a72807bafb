import { type ResourceRow, statusSubresource } from "@gatehouse/apiserver/registry";
import { persistentVolumeTable } from "./columns.js";
import { persistentVolumeRules } from "./rules.js";
import { persistentVolumeStrategy } from "./strategy.js";
import { persistentVolumeWarnings } from "./warnings.js";

/** The definition of PersistentVolume, storage of the cluster. A deletion answers with the volume. */
export const persistentVolumeRow: ResourceRow = {
  resource: "persistentvolumes",
  kind: "PersistentVolume",
  namespaced: false,
  metadataRechecks: "inRules",
  shortNames: ["pv"],
  subresources: [statusSubresource],
  storageVersionHash: "HN/zwEC+JgM=",
  returnsDeletedObject: true,
  table: persistentVolumeTable,
  warnings: persistentVolumeWarnings,
  rules: persistentVolumeRules,
  ...persistentVolumeStrategy,
};
