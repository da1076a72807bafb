import { ageColumn, column, nameColumn, objectAge, type TableDefinition } from "@gatehouse/apiserver/tables";
import { listAt, textAt } from "@gatehouse/envelopes/json";

/** Table columns of ServiceCIDR: its ranges, at most one of each family. */
export const serviceCidrColumns: TableDefinition = {
  columns: [nameColumn, column("CIDRs", "string", "Address ranges for services."), ageColumn],
  cells(object, context) {
    return [
      textAt(object, "metadata", "name"),
      listAt(object, "spec", "cidrs").map(String).join(","),
      objectAge(object, context),
    ];
  },
};
