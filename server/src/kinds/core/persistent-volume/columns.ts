import {
  ageColumn,
  column,
  nameColumn,
  objectAge,
  scalarText,
  type TableDefinition,
  wideColumn,
} from "@gatehouse/apiserver/tables";
import { isSet, listAt, objectAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { accessModes, phase, storageClass } from "../volume-columns.js";

/** Table columns of PersistentVolume: size, modes, class and claim. */
export const persistentVolumeColumns: TableDefinition = {
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
