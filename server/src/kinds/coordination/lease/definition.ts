import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { leaseColumns } from "./columns.js";
import { leaseValidation } from "./validation.js";

/**
 * The definition of Lease, which leaders hold and nodes renew. A PUT may create one; an update must name the version it
 * replaces.
 */
export const leaseDefinition: KindDefinition = {
  resource: "leases",
  kind: "Lease",
  namespaced: true,
  storageVersionHash: "gqkMMb/YqFM=",
  table: leaseColumns,
  strategy: {
    validation: leaseValidation,
    metadata: { rechecks: ["change"], knownFinalizersOnly: false },
    update: { allowCreateOnUpdate: true, allowUnconditionalUpdate: false },
  },
};
