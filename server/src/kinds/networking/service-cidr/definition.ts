import { type KindDefinition, statusSubresource } from "@gatehouse/apiserver/registry";
import { serviceCidrColumns } from "./columns.js";
import { serviceCidrValidation } from "./validation.js";

/** The definition of ServiceCIDR, ranges of addresses for services (KEP-1880): alpha, so served only on request. */
export const serviceCidrDefinition: KindDefinition = {
  resource: "servicecidrs",
  kind: "ServiceCIDR",
  metadataRechecks: "inValidation",
  resetFields: { "": [], status: [] },
  namespaced: false,
  subresources: [statusSubresource],
  storageVersionHash: "3cDF5hqTkLY=",
  servedByDefault: false,
  // In v1.29 every write of the object can change its status.
  hasStatus: false,
  table: serviceCidrColumns,
  validation: serviceCidrValidation,
};
