import { type KindDefinition, statusSubresource } from "@gatehouse/apiserver/registry";
import { persistentVolumeClaimColumns } from "./columns.js";
import { completeDataSources } from "./data-sources.js";
import { persistentVolumeClaimStrategy } from "./strategy.js";

/** The definition of PersistentVolumeClaim, a request for storage. A deletion answers with the claim. */
export const persistentVolumeClaimDefinition: KindDefinition = {
  resource: "persistentvolumeclaims",
  kind: "PersistentVolumeClaim",
  namespaced: true,
  shortNames: ["pvc"],
  subresources: [statusSubresource],
  storage: { prefix: "persistentvolumeclaims", completeOnRead: completeDataSources },
  storageVersionHash: "QWTyNDq0dC4=",
  table: persistentVolumeClaimColumns,
  strategy: persistentVolumeClaimStrategy,
};
