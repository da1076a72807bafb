import { type ResourceRow, statusSubresource } from "../../define-resource.js";
import { resourceQuotaTable } from "./columns.js";

export const resourceQuotaRow: ResourceRow = {
  resource: "resourcequotas",
  kind: "ResourceQuota",
  namespaced: true,
  shortNames: ["quota"],
  subresources: [statusSubresource],
  storageVersionHash: "8uhSgffRX6w=",
  returnsDeletedObject: true,
  table: resourceQuotaTable,
};
