import { type ResourceRow, statusSubresource } from "@gatehouse/apiserver/registry";
import { resourceClaimTable } from "./columns.js";
import { resourceClaimRules } from "./rules.js";

/** The definition of ResourceClaim, a request of pods to drivers (KEP-3063): alpha, so served only on request. */
export const resourceClaimRow: ResourceRow = {
  resource: "resourceclaims",
  kind: "ResourceClaim",
  namespaced: true,
  metadataRechecks: "inRules",
  subresources: [statusSubresource],
  storageVersionHash: "sMQbgChfibk=",
  servedByDefault: false,
  returnsDeletedObject: true,
  table: resourceClaimTable,
  rules: resourceClaimRules,
};
