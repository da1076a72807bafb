import { ageColumn, column, nameColumn, objectAge, type TableDefinition } from "@gatehouse/apiserver/tables";
import { listAt, textAt } from "@gatehouse/envelopes/json";

/** Table columns of CSINode: the number of its drivers. */
export const csiNodeColumns: TableDefinition = {
  columns: [nameColumn, column("Drivers", "integer", "Number of drivers on the node."), ageColumn],
  cells(object, context) {
    return [textAt(object, "metadata", "name"), listAt(object, "spec", "drivers").length, objectAge(object, context)];
  },
};
