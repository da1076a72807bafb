import {
  ageColumn,
  column,
  nameColumn,
  objectAge,
  scalarText,
  type TableDefinition,
} from "@gatehouse/apiserver/tables";
import { booleanAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { nameAndDefault } from "../default-class.js";

/** Table columns of StorageClass: its provisioner and policies; `(default)` follows the name of the default class. */
export const storageClassColumns: TableDefinition = {
  columns: [
    nameColumn,
    column("Provisioner", "string", "Who makes volumes of the class."),
    column("ReclaimPolicy", "string", "What happens to volumes of the class when their claims are gone."),
    column("VolumeBindingMode", "string", "When volumes are made and bound."),
    column("AllowVolumeExpansion", "string", "Whether volumes of the class can grow."),
    ageColumn,
  ],
  cells(object, context) {
    return [
      nameAndDefault(object, [
        "storageclass.kubernetes.io/is-default-class",
        "storageclass.beta.kubernetes.io/is-default-class",
      ]),
      textAt(object, "provisioner"),
      scalarText(valueAt(object, "reclaimPolicy"), "Delete"),
      scalarText(valueAt(object, "volumeBindingMode"), "Immediate"),
      booleanAt(object, "allowVolumeExpansion"),
      objectAge(object, context),
    ];
  },
};
