import { textAt } from "@gatehouse/envelopes";
import { objectAge } from "../../../tables/duration.js";
import { ageColumn, column, nameColumn, type TableDefinition } from "../../../tables/table-definition.js";

/** Table columns of ResourceClass: its driver. */
export const resourceClassTable: TableDefinition = {
  columns: [nameColumn, column("DriverName", "string", "Driver that allocates resources of the class."), ageColumn],
  cells(object, context) {
    return [textAt(object, "metadata", "name"), textAt(object, "driverName"), objectAge(object, context)];
  },
};
