import type { ResourceDefinition } from "../catalogue/resource-definition.js";
import { defineResources } from "./define-resource.js";

/** Runtime classes. */
export const nodeResources: readonly ResourceDefinition[] = defineResources("node.k8s.io", "v1", [
  {
    resource: "runtimeclasses",
    kind: "RuntimeClass",
    namespaced: false,
    storageVersionHash: "WQTu1GL3T2Q=",
    allowUnconditionalUpdate: false,
  },
]);
