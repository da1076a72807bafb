import { ageColumn, column, nameColumn, objectAge, type TableDefinition } from "@gatehouse/apiserver/tables";
import { booleanAt, integerAt, textAt } from "@gatehouse/envelopes/json";

/** Table columns of PriorityClass: its value, and whether it is the default. */
export const priorityClassColumns: TableDefinition = {
  columns: [
    nameColumn,
    column("Value", "integer", "Priority of pods of the class."),
    column("Global-Default", "boolean", "Whether pods without a class get this one."),
    ageColumn,
  ],
  cells(object, context) {
    return [
      textAt(object, "metadata", "name"),
      integerAt(object, "value"),
      booleanAt(object, "globalDefault"),
      objectAge(object, context),
    ];
  },
};
