import { integerAt, textAt, valueAt } from "../objects/json-fields.js";
import { objectAge } from "./duration.js";
import { ageColumn, column, nameColumn, type TableDefinition } from "./table-definition.js";
import { scalarText } from "./text-lists.js";

const podDisruptionBudget: TableDefinition = {
  columns: [
    nameColumn,
    column("Min Available", "string", "Pods that must stay available through an eviction."),
    column("Max Unavailable", "string", "Pods that may be unavailable after an eviction."),
    column("Allowed Disruptions", "integer", "Pods that may be evicted right now."),
    ageColumn,
  ],
  cells(object, context) {
    return [
      textAt(object, "metadata", "name"),
      scalarText(valueAt(object, "spec", "minAvailable"), "N/A"),
      scalarText(valueAt(object, "spec", "maxUnavailable"), "N/A"),
      integerAt(object, "status", "disruptionsAllowed"),
      objectAge(object, context),
    ];
  },
};

export const policyTables: Readonly<Record<string, TableDefinition>> = { PodDisruptionBudget: podDisruptionBudget };
