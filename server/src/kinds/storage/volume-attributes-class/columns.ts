import { ageColumn, column, nameColumn, objectAge, type TableDefinition } from "@gatehouse/apiserver/tables";
import { textAt } from "@gatehouse/envelopes";
import { nameAndDefault } from "../default-class.js";

/** Which driver the class is for; `(default)` behind the name of the default class. */
export const volumeAttributesClassTable: TableDefinition = {
  columns: [nameColumn, column("DriverName", "string", "Driver whose volumes the class is for."), ageColumn],
  cells(object, context) {
    return [
      nameAndDefault(object, ["volumeattributesclass.alpha.kubernetes.io/is-default-class"]),
      textAt(object, "driverName"),
      objectAge(object, context),
    ];
  },
};
