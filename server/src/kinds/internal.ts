import type { ResourceDefinition } from "../catalogue/resource-definition.js";
import { defineResources, statusSubresource } from "./define-resource.js";

/** What the API servers of a cluster tell each other. */
export const internalResources: readonly ResourceDefinition[] = defineResources(
  "internal.apiserver.k8s.io",
  "v1alpha1",
  [
    {
      resource: "storageversions",
      kind: "StorageVersion",
      namespaced: false,
      subresources: [statusSubresource],
      storageVersionHash: "c8YZt5U0nPk=",
      servedByDefault: false,
      nameRule: "pathSegment",
      allowUnconditionalUpdate: false,
      metadataOnStatusUpdate: "kept",
    },
  ],
);
