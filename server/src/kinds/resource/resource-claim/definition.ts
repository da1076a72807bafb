import { type KindDefinition, statusSubresource } from "@gatehouse/apiserver/registry";
import { resourceClaimColumns } from "./columns.js";
import { resourceClaimValidation } from "./validation.js";

/** The definition of ResourceClaim, a request of pods to drivers (KEP-3063): alpha, so served only on request. */
export const resourceClaimDefinition: KindDefinition = {
  resource: "resourceclaims",
  kind: "ResourceClaim",
  namespaced: true,
  subresources: [{ ...statusSubresource, hasNoTable: true }],
  storageVersionHash: "sMQbgChfibk=",
  servedByDefault: false,
  table: resourceClaimColumns,
  strategy: {
    validation: resourceClaimValidation,
    metadata: { rechecks: "inValidation" },
    deletion: { returnsDeletedObject: true },
  },
};
