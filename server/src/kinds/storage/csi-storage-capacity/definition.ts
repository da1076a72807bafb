import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { csiStorageCapacityValidation } from "./validation.js";
import { csiStorageCapacityWarnings } from "./warnings.js";

/**
 * The definition of CSIStorageCapacity, the room that a driver has in a part of the cluster. No columns but name and
 * creation time.
 */
export const csiStorageCapacityDefinition: KindDefinition = {
  resource: "csistoragecapacities",
  kind: "CSIStorageCapacity",
  namespaced: true,
  storageVersionHash: "xeVl+2Ly1kE=",
  strategy: {
    validation: csiStorageCapacityValidation,
    warnings: csiStorageCapacityWarnings,
    metadata: { rechecks: "inValidation" },
    update: { allowUnconditionalUpdate: false },
  },
};
