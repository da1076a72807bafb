import { ageColumn, column, nameColumn, objectAge, type TableDefinition } from "@gatehouse/apiserver/tables";
import { textAt } from "@gatehouse/envelopes";

/** What the container runtime calls the class. */
export const runtimeClassTable: TableDefinition = {
  columns: [nameColumn, column("Handler", "string", "Configuration of the container runtime."), ageColumn],
  cells(object, context) {
    return [textAt(object, "metadata", "name"), textAt(object, "handler"), objectAge(object, context)];
  },
};
