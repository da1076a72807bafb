import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { csiStorageCapacityRules } from "./rules.js";
import { csiStorageCapacityWarnings } from "./warnings.js";

/**
 * The definition of CSIStorageCapacity, the room that a driver has in a part of the cluster. No columns but name and
 * creation time.
 */
export const csiStorageCapacityRow: ResourceRow = {
  resource: "csistoragecapacities",
  kind: "CSIStorageCapacity",
  namespaced: true,
  metadataRechecks: "inRules",
  storageVersionHash: "xeVl+2Ly1kE=",
  allowUnconditionalUpdate: false,
  warnings: csiStorageCapacityWarnings,
  rules: csiStorageCapacityRules,
};
