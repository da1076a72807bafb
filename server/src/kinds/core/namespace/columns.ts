import { textAt } from "@gatehouse/envelopes";
import { objectAge } from "../../../tables/duration.js";
import { ageColumn, column, nameColumn, type TableDefinition } from "../../../tables/table-definition.js";

/** Table columns of Namespace: its phase. */
export const namespaceTable: TableDefinition = {
  columns: [nameColumn, column("Status", "string", "Phase of the namespace."), ageColumn],
  cells(object, context) {
    return [textAt(object, "metadata", "name"), textAt(object, "status", "phase"), objectAge(object, context)];
  },
};
