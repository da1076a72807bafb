import { defineResources, type ResourceDefinition } from "@gatehouse/apiserver/registry";
import { csiDriverDefinition } from "./csi-driver/definition.js";
import { csiNodeDefinition } from "./csi-node/definition.js";
import { csiStorageCapacityDefinition } from "./csi-storage-capacity/definition.js";
import { storageClassDefinition } from "./storage-class/definition.js";
import { volumeAttachmentDefinition } from "./volume-attachment/definition.js";
import { volumeAttributesClassDefinition } from "./volume-attributes-class/definition.js";

/** The resources of storage.k8s.io: storage classes and drivers. */
export const storageResources: readonly ResourceDefinition[] = [
  ...defineResources("storage.k8s.io", "v1", [
    csiDriverDefinition,
    csiNodeDefinition,
    csiStorageCapacityDefinition,
    storageClassDefinition,
    volumeAttachmentDefinition,
  ]),
  ...defineResources("storage.k8s.io", "v1alpha1", [volumeAttributesClassDefinition]),
];
