import type { ResourceDefinition } from "../catalogue/resource-definition.js";
import { defineResources, statusSubresource } from "./define-resource.js";

/** Dynamic resource allocation. */
export const resourceResources: readonly ResourceDefinition[] = defineResources("resource.k8s.io", "v1alpha2", [
  {
    resource: "podschedulingcontexts",
    kind: "PodSchedulingContext",
    namespaced: true,
    subresources: [statusSubresource],
    storageVersionHash: "qtdNX2rnDEA=",
    servedByDefault: false,
    metadataOnStatusUpdate: "kept",
    returnsDeletedObject: true,
  },
  {
    resource: "resourceclaims",
    kind: "ResourceClaim",
    namespaced: true,
    subresources: [statusSubresource],
    storageVersionHash: "sMQbgChfibk=",
    servedByDefault: false,
    metadataOnStatusUpdate: "kept",
    returnsDeletedObject: true,
  },
  {
    resource: "resourceclaimtemplates",
    kind: "ResourceClaimTemplate",
    namespaced: true,
    storageVersionHash: "1o2b66bFoGM=",
    servedByDefault: false,
    returnsDeletedObject: true,
  },
  {
    resource: "resourceclasses",
    kind: "ResourceClass",
    namespaced: false,
    storageVersionHash: "wkt0Tpte++U=",
    servedByDefault: false,
    returnsDeletedObject: true,
  },
]);
