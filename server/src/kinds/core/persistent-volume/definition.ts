import { type KindDefinition, statusSubresource } from "@gatehouse/apiserver/registry";
import { persistentVolumeColumns } from "./columns.js";
import { persistentVolumeStrategy } from "./strategy.js";

/** The definition of PersistentVolume, storage of the cluster. A deletion answers with the volume. */
export const persistentVolumeDefinition: KindDefinition = {
  resource: "persistentvolumes",
  kind: "PersistentVolume",
  namespaced: false,
  shortNames: ["pv"],
  subresources: [statusSubresource],
  storageVersionHash: "HN/zwEC+JgM=",
  table: persistentVolumeColumns,
  strategy: persistentVolumeStrategy,
};
