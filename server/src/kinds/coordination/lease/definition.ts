import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { leaseTable } from "./columns.js";
import { leaseRules } from "./rules.js";

/** What leaders hold and nodes renew. A PUT may make one; one that changes it must say which version it replaces. */
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
