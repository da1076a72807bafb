import { type KindDefinition, statusSubresource } from "@gatehouse/apiserver/registry";
import { persistentVolumeClaimColumns } from "./columns.js";
import { persistentVolumeClaimStrategy } from "./strategy.js";
import { persistentVolumeClaimValidation } from "./validation.js";
import { persistentVolumeClaimWarnings } from "./warnings.js";

/** The definition of PersistentVolumeClaim, a request for storage. A deletion answers with the claim. */
export const persistentVolumeClaimDefinition: KindDefinition = {
  resource: "persistentvolumeclaims",
  kind: "PersistentVolumeClaim",
  namespaced: true,
  metadataRechecks: "inValidation",
  shortNames: ["pvc"],
  subresources: [statusSubresource],
  storageVersionHash: "QWTyNDq0dC4=",
  returnsDeletedObject: true,
  table: persistentVolumeClaimColumns,
  warnings: persistentVolumeClaimWarnings,
  validation: persistentVolumeClaimValidation,
  ...persistentVolumeClaimStrategy,
};
