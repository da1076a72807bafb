import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { leaseTable } from "./columns.js";
import { leaseRules } from "./rules.js";

/**
 * The definition of Lease, which leaders hold and nodes renew. A PUT may create one; an update must name the version it
 * replaces.
 */
export const leaseRow: ResourceRow = {
  resource: "leases",
  kind: "Lease",
  namespaced: true,
  metadataRechecks: ["change"],
  finalizerRule: "any",
  storageVersionHash: "gqkMMb/YqFM=",
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  table: leaseTable,
  rules: leaseRules,
};
