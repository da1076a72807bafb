import { textAt, valueAt } from "@gatehouse/envelopes";
import { objectAge } from "../../../tables/duration.js";
import { labelSelector } from "../../../tables/labels.js";
import { ageColumn, column, nameColumn, type TableDefinition } from "../../../tables/table-definition.js";

/** Table columns of NetworkPolicy: the selector of its pods. */
export const networkPolicyTable: TableDefinition = {
  columns: [nameColumn, column("Pod-Selector", "string", "Pods to which the policy applies."), ageColumn],
  cells(object, context) {
    return [
      textAt(object, "metadata", "name"),
      labelSelector(valueAt(object, "spec", "podSelector")),
      objectAge(object, context),
    ];
  },
};
