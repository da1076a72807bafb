import type { JsonArray, JsonObject } from "@gatehouse/envelopes";
import { isSet, listAt, objectAt, textAt, valueAt } from "../objects/json-fields.js";
import { objectAge } from "./duration.js";
import { ageColumn, column, nameColumn, type TableDefinition, wideColumn } from "./table-definition.js";
import { scalarText } from "./text-lists.js";

/** Older than `storageClassName` and stronger where present. */
const storageClassAnnotation = "volume.beta.kubernetes.io/storage-class";

const persistentVolume: TableDefinition = {
  columns: [
    nameColumn,
    column("Capacity", "string", "Size of the volume."),
    column("Access Modes", "string", "Ways in which the volume can be mounted."),
    column("Reclaim Policy", "string", "What happens to the volume when its claim is gone."),
    column("Status", "string", "Phase of the volume."),
    column("Claim", "string", "The claim to which the volume is bound."),
    column("StorageClass", "string", "Storage class of the volume."),
    column("VolumeAttributesClass", "string", "Volume attributes class of the volume."),
    column("Reason", "string", "Why the volume is in its phase."),
    ageColumn,
    wideColumn("VolumeMode", "string", "File system or raw block device."),
  ],
  cells(object, context) {
    const claim = objectAt(object, "spec", "claimRef");
    return [
      textAt(object, "metadata", "name"),
      scalarText(valueAt(object, "spec", "capacity", "storage"), "0"),
      accessModes(listAt(object, "spec", "accessModes")),
      textAt(object, "spec", "persistentVolumeReclaimPolicy"),
      phase(object),
      isSet(object, "spec", "claimRef") ? `${textAt(claim, "namespace")}/${textAt(claim, "name")}` : "",
      storageClass(object),
      scalarText(valueAt(object, "spec", "volumeAttributesClassName"), "<unset>"),
      textAt(object, "status", "reason"),
      objectAge(object, context),
      scalarText(valueAt(object, "spec", "volumeMode"), "<unset>"),
    ];
  },
};

const persistentVolumeClaim: TableDefinition = {
  columns: [
    nameColumn,
    column("Status", "string", "Phase of the claim."),
    column("Volume", "string", "The volume to which the claim is bound."),
    column("Capacity", "string", "Size of the bound volume."),
    column("Access Modes", "string", "Ways in which the bound volume can be mounted."),
    column("StorageClass", "string", "Storage class that the claim asks for."),
    column("VolumeAttributesClass", "string", "Volume attributes class that the claim asks for."),
    ageColumn,
    wideColumn("VolumeMode", "string", "File system or raw block device."),
  ],
  cells(object, context) {
    const volume = textAt(object, "spec", "volumeName");
    const bound = volume !== "";
    return [
      textAt(object, "metadata", "name"),
      phase(object),
      volume,
      bound ? scalarText(valueAt(object, "status", "capacity", "storage"), "0") : "",
      bound ? accessModes(listAt(object, "status", "accessModes")) : "",
      storageClass(object),
      scalarText(valueAt(object, "spec", "volumeAttributesClassName"), "<unset>"),
      objectAge(object, context),
      scalarText(valueAt(object, "spec", "volumeMode"), "<unset>"),
    ];
  },
};

function phase(object: JsonObject): string {
  return isSet(object, "metadata", "deletionTimestamp") ? "Terminating" : textAt(object, "status", "phase");
}

function storageClass(object: JsonObject): string {
  const annotations = objectAt(object, "metadata", "annotations");
  return Object.hasOwn(annotations, storageClassAnnotation)
    ? textAt(annotations, storageClassAnnotation)
    : textAt(object, "spec", "storageClassName");
}

const accessModeTexts: readonly (readonly [string, string])[] = [
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
];

function accessModes(modes: JsonArray): string {
  return accessModeTexts
    .filter(([mode]) => modes.includes(mode))
    .map(([, text]) => text)
    .join(",");
}

/** Volumes and claims. */
export const coreStorageTables: Readonly<Record<string, TableDefinition>> = {
  PersistentVolume: persistentVolume,
  PersistentVolumeClaim: persistentVolumeClaim,
};
