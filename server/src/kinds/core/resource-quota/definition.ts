import { type ResourceRow, statusSubresource } from "@gatehouse/apiserver/registry";
import { resourceQuotaTable } from "./columns.js";
import { resourceQuotaRules } from "./rules.js";

/**
 * The definition of ResourceQuota, a limit on all objects of a namespace together. A deletion answers with the quota.
 */
export const resourceQuotaRow: ResourceRow = {
  resource: "resourcequotas",
  kind: "ResourceQuota",
  namespaced: true,
  metadataRechecks: ["change"],
  shortNames: ["quota"],
  subresources: [statusSubresource],
  storageVersionHash: "8uhSgffRX6w=",
  returnsDeletedObject: true,
  table: resourceQuotaTable,
  rules: resourceQuotaRules,
};
