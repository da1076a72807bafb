import { ageColumn, column, nameColumn, objectAge, type TableDefinition } from "@gatehouse/apiserver/tables";
import { textAt } from "@gatehouse/envelopes/json";

/** Table columns of Namespace: its phase. */
export const namespaceColumns: TableDefinition = {
  columns: [nameColumn, column("Status", "string", "Phase of the namespace."), ageColumn],
  cells(object, context) {
    return [textAt(object, "metadata", "name"), textAt(object, "status", "phase"), objectAge(object, context)];
  },
};
