import type { ResourceRow } from "../../define-resource.js";
import { leaseTable } from "./columns.js";

export const leaseRow: ResourceRow = {
  resource: "leases",
  kind: "Lease",
  namespaced: true,
  storageVersionHash: "gqkMMb/YqFM=",
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  table: leaseTable,
};
