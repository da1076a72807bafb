import { integerAt, textAt } from "@gatehouse/envelopes/json";
import { objectAge } from "./duration.js";
import { ageColumn, column, nameColumn, type TableDefinition } from "./table-definition.js";

/** The table of Scale, which is a view of many kinds. */
export const scaleTable: TableDefinition = {
  columns: [
    { ...nameColumn, format: "" },
    column("Desired", "integer", "Number of pods wanted."),
    column("Available", "integer", "Number of pods that exist."),
    ageColumn,
  ],
  cells(object, context) {
    return [
      textAt(object, "metadata", "name"),
      integerAt(object, "spec", "replicas"),
      integerAt(object, "status", "replicas"),
      objectAge(object, context),
    ];
  },
};
