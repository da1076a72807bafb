import { ageColumn, column, nameColumn, objectAge, type TableDefinition } from "@gatehouse/apiserver/tables";
import { listAt, textAt } from "@gatehouse/envelopes/json";

/** Table columns of ServiceAccount: the number of secrets it refers to. */
export const serviceAccountColumns: TableDefinition = {
  columns: [nameColumn, column("Secrets", "string", "Number of secrets that the account refers to."), ageColumn],
  cells(object, context) {
    return [textAt(object, "metadata", "name"), listAt(object, "secrets").length, objectAge(object, context)];
  },
};
