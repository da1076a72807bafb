import { ageColumn, column, nameColumn, objectAge, type TableDefinition } from "@gatehouse/apiserver/tables";
import { textAt } from "@gatehouse/envelopes/json";
import { nameAndDefault } from "../default-class.js";

/** Table columns of VolumeAttributesClass: its driver; `(default)` follows the name of the default class. */
export const volumeAttributesClassColumns: TableDefinition = {
  columns: [nameColumn, column("DriverName", "string", "Driver whose volumes the class is for."), ageColumn],
  cells(object, context) {
    return [
      nameAndDefault(object, ["volumeattributesclass.alpha.kubernetes.io/is-default-class"]),
      textAt(object, "driverName"),
      objectAge(object, context),
    ];
  },
};
