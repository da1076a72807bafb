import type { ResourceDefinition } from "../catalogue/resource-definition.js";
import { defineResources } from "./define-resource.js";

/** Leases. */
export const coordinationResources: readonly ResourceDefinition[] = defineResources("coordination.k8s.io", "v1", [
  {
    resource: "leases",
    kind: "Lease",
    namespaced: true,
    storageVersionHash: "gqkMMb/YqFM=",
    allowCreateOnUpdate: true,
    allowUnconditionalUpdate: false,
  },
]);
