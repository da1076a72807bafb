import { type ResourceRow, statusSubresource } from "../../define-resource.js";
import { resourceClaimTable } from "./columns.js";

export const resourceClaimRow: ResourceRow = {
  resource: "resourceclaims",
  kind: "ResourceClaim",
  namespaced: true,
  subresources: [statusSubresource],
  storageVersionHash: "sMQbgChfibk=",
  servedByDefault: false,
  metadataOnStatusUpdate: "kept",
  returnsDeletedObject: true,
  table: resourceClaimTable,
};
