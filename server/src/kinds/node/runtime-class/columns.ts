import { textAt } from "@gatehouse/envelopes";
import { objectAge } from "../../../tables/duration.js";
import { ageColumn, column, nameColumn, type TableDefinition } from "../../../tables/table-definition.js";

/** Table columns of RuntimeClass: its handler, the name that the container runtime knows. */
export const runtimeClassTable: TableDefinition = {
  columns: [nameColumn, column("Handler", "string", "Configuration of the container runtime."), ageColumn],
  cells(object, context) {
    return [textAt(object, "metadata", "name"), textAt(object, "handler"), objectAge(object, context)];
  },
};
