import { ageColumn, column, nameColumn, objectAge, type TableDefinition } from "@gatehouse/apiserver/tables";
import { textAt } from "@gatehouse/envelopes/json";

/** Table columns of ResourceClass: its driver. */
export const resourceClassColumns: TableDefinition = {
  columns: [nameColumn, column("DriverName", "string", "Driver that allocates resources of the class."), ageColumn],
  cells(object, context) {
    return [textAt(object, "metadata", "name"), textAt(object, "driverName"), objectAge(object, context)];
  },
};
