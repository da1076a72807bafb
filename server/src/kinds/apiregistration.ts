import type { ResourceDefinition } from "../catalogue/resource-definition.js";
import { defineResources, statusSubresource } from "./define-resource.js";
import { apiServiceStrategy } from "./extension-strategies.js";

/** Which server serves which API. */
export const apiregistrationResources: readonly ResourceDefinition[] = defineResources("apiregistration.k8s.io", "v1", [
  {
    resource: "apiservices",
    kind: "APIService",
    namespaced: false,
    categories: ["api-extensions"],
    subresources: [statusSubresource],
    storage: { prefix: "apiregistration.k8s.io/apiservices" },
    storageVersionHash: "InPBPD7+PqM=",
    nameRule: "pathSegment",
    allowUnconditionalUpdate: false,
    metadataOnStatusUpdate: "kept",
    ...apiServiceStrategy,
  },
]);
