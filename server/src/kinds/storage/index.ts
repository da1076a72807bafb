import { defineResources, type ResourceDefinition } from "@gatehouse/apiserver/registry";
import { csiDriverRow } from "./csi-driver/definition.js";
import { csiNodeRow } from "./csi-node/definition.js";
import { csiStorageCapacityRow } from "./csi-storage-capacity/definition.js";
import { storageClassRow } from "./storage-class/definition.js";
import { volumeAttachmentRow } from "./volume-attachment/definition.js";
import { volumeAttributesClassRow } from "./volume-attributes-class/definition.js";

/** The resources of storage.k8s.io: storage classes and drivers. */
export const storageResources: readonly ResourceDefinition[] = [
  ...defineResources("storage.k8s.io", "v1", [
    csiDriverRow,
    csiNodeRow,
    csiStorageCapacityRow,
    storageClassRow,
    volumeAttachmentRow,
  ]),
  ...defineResources("storage.k8s.io", "v1alpha1", [volumeAttributesClassRow]),
];
