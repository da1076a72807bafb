import { listAt, textAt } from "@gatehouse/envelopes";
import { objectAge } from "../../../tables/duration.js";
import { ageColumn, column, nameColumn, type TableDefinition } from "../../../tables/table-definition.js";

/** Table columns of ServiceAccount: the number of secrets it refers to. */
export const serviceAccountTable: TableDefinition = {
  columns: [nameColumn, column("Secrets", "string", "Number of secrets that the account refers to."), ageColumn],
  cells(object, context) {
    return [textAt(object, "metadata", "name"), listAt(object, "secrets").length, objectAge(object, context)];
  },
};
