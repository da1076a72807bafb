import { type KindDefinition, statusSubresource } from "@gatehouse/apiserver/registry";
import { resourceQuotaColumns } from "./columns.js";
import { resourceQuotaValidation } from "./validation.js";

/**
 * The definition of ResourceQuota, a limit on all objects of a namespace together. A deletion answers with the quota.
 */
export const resourceQuotaDefinition: KindDefinition = {
  resource: "resourcequotas",
  kind: "ResourceQuota",
  namespaced: true,
  shortNames: ["quota"],
  subresources: [statusSubresource],
  storageVersionHash: "8uhSgffRX6w=",
  table: resourceQuotaColumns,
  strategy: {
    validation: resourceQuotaValidation,
    metadata: { rechecks: ["change"] },
    deletion: { returnsDeletedObject: true },
  },
};
