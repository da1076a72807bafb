import { type ResourceRow, statusSubresource } from "@gatehouse/apiserver/registry";
import { serviceCidrTable } from "./columns.js";
import { serviceCidrRules } from "./rules.js";

/** The definition of ServiceCIDR, ranges of addresses for services (KEP-1880): alpha, so served only on request. */
export const serviceCidrRow: ResourceRow = {
  resource: "servicecidrs",
  kind: "ServiceCIDR",
  metadataRechecks: "inRules",
  resetFields: { "": [], status: [] },
  namespaced: false,
  subresources: [statusSubresource],
  storageVersionHash: "3cDF5hqTkLY=",
  servedByDefault: false,
  // In v1.29 every write of the object can change its status.
  hasStatus: false,
  table: serviceCidrTable,
  rules: serviceCidrRules,
};
