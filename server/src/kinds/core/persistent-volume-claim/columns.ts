import {
  ageColumn,
  column,
  nameColumn,
  objectAge,
  scalarText,
  type TableDefinition,
  wideColumn,
} from "@gatehouse/apiserver/tables";
import { listAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { accessModes, phase, storageClass } from "../volume-columns.js";

/** Table columns of PersistentVolumeClaim: the bound volume; size and modes are empty until it is bound. */
export const persistentVolumeClaimColumns: TableDefinition = {
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
