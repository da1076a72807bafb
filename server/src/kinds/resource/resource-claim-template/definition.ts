import type { ResourceRow } from "../../define-resource.js";
import { resourceClaimTemplateTable } from "./columns.js";

export const resourceClaimTemplateRow: ResourceRow = {
  resource: "resourceclaimtemplates",
  kind: "ResourceClaimTemplate",
  namespaced: true,
  storageVersionHash: "1o2b66bFoGM=",
  servedByDefault: false,
  returnsDeletedObject: true,
  table: resourceClaimTemplateTable,
};
