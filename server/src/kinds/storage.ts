import type { JsonObject } from "@gatehouse/envelopes";
import type { ResourceDefinition } from "../catalogue/resource-definition.js";
import { metaOf } from "../objects/object-meta.js";
import { defineResources, statusSubresource } from "./define-resource.js";

/** CSIDriver got its generation late: it counts changes, but new objects have none. */
function startWithoutGeneration(driver: JsonObject): void {
  delete metaOf(driver).generation;
}

/** Storage classes and drivers. */
export const storageResources: readonly ResourceDefinition[] = [
  ...defineResources("storage.k8s.io", "v1", [
    {
      resource: "csidrivers",
      kind: "CSIDriver",
      namespaced: false,
      storageVersionHash: "hL6j/rwBV5w=",
      nameRule: "pathSegment",
      allowUnconditionalUpdate: false,
      hasGeneration: true,
      returnsDeletedObject: true,
      prepareForCreate: startWithoutGeneration,
    },
    {
      resource: "csinodes",
      kind: "CSINode",
      namespaced: false,
      storageVersionHash: "Pe62DkZtjuo=",
      allowUnconditionalUpdate: false,
      returnsDeletedObject: true,
    },
    {
      resource: "csistoragecapacities",
      kind: "CSIStorageCapacity",
      namespaced: true,
      storageVersionHash: "xeVl+2Ly1kE=",
      allowUnconditionalUpdate: false,
    },
    {
      resource: "storageclasses",
      kind: "StorageClass",
      namespaced: false,
      shortNames: ["sc"],
      storageVersionHash: "K+m6uJwbjGY=",
      returnsDeletedObject: true,
    },
    {
      resource: "volumeattachments",
      kind: "VolumeAttachment",
      namespaced: false,
      subresources: [statusSubresource],
      storageVersionHash: "tJx/ezt6UDU=",
      allowUnconditionalUpdate: false,
      metadataOnStatusUpdate: "kept",
      returnsDeletedObject: true,
    },
  ]),
  ...defineResources("storage.k8s.io", "v1alpha1", [
    {
      resource: "volumeattributesclasses",
      kind: "VolumeAttributesClass",
      namespaced: false,
      shortNames: ["vac"],
      storageVersionHash: "HPC8kMG1ukQ=",
      servedByDefault: false,
      returnsDeletedObject: true,
    },
  ]),
];
