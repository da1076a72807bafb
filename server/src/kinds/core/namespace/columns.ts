import { ageColumn, column, nameColumn, objectAge, type TableDefinition } from "@gatehouse/apiserver/tables";
import { textAt } from "@gatehouse/envelopes";

/** Whether the namespace is active or on its way out. */
export const namespaceTable: TableDefinition = {
  columns: [nameColumn, column("Status", "string", "Phase of the namespace."), ageColumn],
  cells(object, context) {
    return [textAt(object, "metadata", "name"), textAt(object, "status", "phase"), objectAge(object, context)];
  },
};
