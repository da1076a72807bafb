import { ageColumn, nameColumn, objectAge, type TableDefinition } from "@gatehouse/apiserver/tables";
import { textAt } from "@gatehouse/envelopes/json";
import { classColumn, modeColumn } from "../resource-claim/columns.js";

/** Table columns of ResourceClaimTemplate: those of a claim, without the state. */
export const resourceClaimTemplateColumns: TableDefinition = {
  columns: [nameColumn, classColumn, modeColumn, ageColumn],
  cells(object, context) {
    return [
      textAt(object, "metadata", "name"),
      textAt(object, "spec", "spec", "resourceClassName"),
      textAt(object, "spec", "spec", "allocationMode"),
      objectAge(object, context),
    ];
  },
};
