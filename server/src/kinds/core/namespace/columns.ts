import { textAt } from "../../../objects/json-fields.js";
import { objectAge } from "../../../tables/duration.js";
import { ageColumn, column, nameColumn, type TableDefinition } from "../../../tables/table-definition.js";

export const namespaceTable: TableDefinition = {
  columns: [nameColumn, column("Status", "string", "Phase of the namespace."), ageColumn],
  cells(object, context) {
    return [textAt(object, "metadata", "name"), textAt(object, "status", "phase"), objectAge(object, context)];
  },
};
