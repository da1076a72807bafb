import { type ResourceRow, statusSubresource } from "@gatehouse/apiserver/registry";
import { persistentVolumeClaimTable } from "./columns.js";
import { persistentVolumeClaimRules } from "./rules.js";
import { persistentVolumeClaimStrategy } from "./strategy.js";
import { persistentVolumeClaimWarnings } from "./warnings.js";

/** The definition of PersistentVolumeClaim, a request for storage. A deletion answers with the claim. */
export const persistentVolumeClaimRow: ResourceRow = {
  resource: "persistentvolumeclaims",
  kind: "PersistentVolumeClaim",
  namespaced: true,
  metadataRechecks: "inRules",
  shortNames: ["pvc"],
  subresources: [statusSubresource],
  storageVersionHash: "QWTyNDq0dC4=",
  returnsDeletedObject: true,
  table: persistentVolumeClaimTable,
  warnings: persistentVolumeClaimWarnings,
  rules: persistentVolumeClaimRules,
  ...persistentVolumeClaimStrategy,
};
