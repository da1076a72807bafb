import {
  ageColumn,
  column,
  nameColumn,
  objectAge,
  scalarText,
  type TableDefinition,
} from "@gatehouse/apiserver/tables";
import { integerAt, textAt, valueAt } from "@gatehouse/envelopes/json";

/** Table columns of PodDisruptionBudget: its bounds, `N/A` for one that is not set, and the disruptions allowed now. */
export const podDisruptionBudgetColumns: TableDefinition = {
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
