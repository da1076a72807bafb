import { ageColumn, column, nameColumn, objectAge, type TableDefinition } from "@gatehouse/apiserver/tables";
import { textAt } from "@gatehouse/envelopes/json";

/** Table columns of RuntimeClass: its handler, the name that the container runtime knows. */
export const runtimeClassColumns: TableDefinition = {
  columns: [nameColumn, column("Handler", "string", "Configuration of the container runtime."), ageColumn],
  cells(object, context) {
    return [textAt(object, "metadata", "name"), textAt(object, "handler"), objectAge(object, context)];
  },
};
