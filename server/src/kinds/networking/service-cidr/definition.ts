import { type KindDefinition, statusSubresource } from "@gatehouse/apiserver/registry";
import { serviceCidrColumns } from "./columns.js";
import { serviceCidrValidation } from "./validation.js";

/** The definition of ServiceCIDR, ranges of addresses for services (KEP-1880): alpha, so served only on request. */
export const serviceCidrDefinition: KindDefinition = {
  resource: "servicecidrs",
  kind: "ServiceCIDR",
  namespaced: false,
  subresources: [statusSubresource],
  storageVersionHash: "3cDF5hqTkLY=",
  servedByDefault: false,
  table: serviceCidrColumns,
  strategy: {
    validation: serviceCidrValidation,
    metadata: { rechecks: "inValidation" },
    // In v1.29 every write of the object can change its status.
    create: { resetStatus: () => undefined },
    update: { resetStatus: () => undefined, resetFields: [] },
    status: { resetFields: [] },
  },
};
