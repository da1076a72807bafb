import { listAt, textAt } from "@gatehouse/envelopes";
import { objectAge } from "../../../tables/duration.js";
import { ageColumn, column, nameColumn, type TableDefinition } from "../../../tables/table-definition.js";

/** Table columns of ServiceCIDR: its ranges, at most one of each family. */
export const serviceCidrTable: TableDefinition = {
  columns: [nameColumn, column("CIDRs", "string", "Address ranges for services."), ageColumn],
  cells(object, context) {
    return [
      textAt(object, "metadata", "name"),
      listAt(object, "spec", "cidrs").map(String).join(","),
      objectAge(object, context),
    ];
  },
};
