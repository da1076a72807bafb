import { textAt } from "@gatehouse/envelopes";
import { objectAge } from "../../../tables/duration.js";
import { ageColumn, column, nameColumn, type TableDefinition } from "../../../tables/table-definition.js";

/** What the container runtime calls the class. */
export const runtimeClassTable: TableDefinition = {
  columns: [nameColumn, column("Handler", "string", "Configuration of the container runtime."), ageColumn],
  cells(object, context) {
    return [textAt(object, "metadata", "name"), textAt(object, "handler"), objectAge(object, context)];
  },
};
