import { ageColumn, column, nameColumn, objectAge, type TableDefinition } from "@gatehouse/apiserver/tables";
import { objectAt, textAt } from "@gatehouse/envelopes/json";

/** Table columns of Secret: its type and the number of its entries, never their values. */
export const secretColumns: TableDefinition = {
  columns: [
    nameColumn,
    column("Type", "string", "What the secret is for."),
    column("Data", "string", "Number of entries."),
    ageColumn,
  ],
  cells(object, context) {
    return [
      textAt(object, "metadata", "name"),
      textAt(object, "type"),
      Object.keys(objectAt(object, "data")).length,
      objectAge(object, context),
    ];
  },
};
