import { ageColumn, column, nameColumn, objectAge, type TableDefinition } from "@gatehouse/apiserver/tables";
import { textAt } from "@gatehouse/envelopes/json";

/** Table columns of Lease: its holder. */
export const leaseColumns: TableDefinition = {
  columns: [nameColumn, column("Holder", "string", "Who holds the lease."), ageColumn],
  cells(object, context) {
    return [textAt(object, "metadata", "name"), textAt(object, "spec", "holderIdentity"), objectAge(object, context)];
  },
};
