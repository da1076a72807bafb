import { textAt } from "@gatehouse/envelopes";
import { objectAge } from "../../../tables/duration.js";
import { ageColumn, column, nameColumn, type TableDefinition } from "../../../tables/table-definition.js";

/** Table columns of Lease: its holder. */
export const leaseTable: TableDefinition = {
  columns: [nameColumn, column("Holder", "string", "Who holds the lease."), ageColumn],
  cells(object, context) {
    return [textAt(object, "metadata", "name"), textAt(object, "spec", "holderIdentity"), objectAge(object, context)];
  },
};
