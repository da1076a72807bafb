import type { ResourceDefinition } from "../catalogue/resource-definition.js";
import { defineResources, statusSubresource } from "./define-resource.js";
import { customResourceDefinitionStrategy } from "./extension-strategies.js";

/** Definitions of custom resources. */
export const apiextensionsResources: readonly ResourceDefinition[] = defineResources("apiextensions.k8s.io", "v1", [
  {
    resource: "customresourcedefinitions",
    kind: "CustomResourceDefinition",
    namespaced: false,
    shortNames: ["crd", "crds"],
    categories: ["api-extensions"],
    subresources: [statusSubresource],
    storage: { prefix: "apiextensions.k8s.io/customresourcedefinitions" },
    storageVersionHash: "jfWCUB31mvA=",
    allowUnconditionalUpdate: false,
    hasGeneration: true,
    metadataOnStatusUpdate: "kept",
    ...customResourceDefinitionStrategy,
  },
]);
