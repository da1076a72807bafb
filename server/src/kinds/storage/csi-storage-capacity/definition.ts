import type { ResourceRow } from "../../define-resource.js";
import { csiStorageCapacityWarnings } from "./warnings.js";

export const csiStorageCapacityRow: ResourceRow = {
  resource: "csistoragecapacities",
  kind: "CSIStorageCapacity",
  namespaced: true,
  storageVersionHash: "xeVl+2Ly1kE=",
  allowUnconditionalUpdate: false,
  warnings: csiStorageCapacityWarnings,
};
