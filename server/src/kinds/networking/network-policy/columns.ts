import {
  ageColumn,
  column,
  labelSelector,
  nameColumn,
  objectAge,
  type TableDefinition,
} from "@gatehouse/apiserver/tables";
import { textAt, valueAt } from "@gatehouse/envelopes/json";

/** Table columns of NetworkPolicy: the selector of its pods. */
export const networkPolicyColumns: TableDefinition = {
  columns: [nameColumn, column("Pod-Selector", "string", "Pods to which the policy applies."), ageColumn],
  cells(object, context) {
    return [
      textAt(object, "metadata", "name"),
      labelSelector(valueAt(object, "spec", "podSelector")),
      objectAge(object, context),
    ];
  },
};
