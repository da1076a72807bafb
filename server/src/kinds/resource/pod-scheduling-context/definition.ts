import { type ResourceRow, statusSubresource } from "../../define-resource.js";
import { podSchedulingContextTable } from "./columns.js";

export const podSchedulingContextRow: ResourceRow = {
  resource: "podschedulingcontexts",
  kind: "PodSchedulingContext",
  namespaced: true,
  subresources: [statusSubresource],
  storageVersionHash: "qtdNX2rnDEA=",
  servedByDefault: false,
  metadataOnStatusUpdate: "kept",
  returnsDeletedObject: true,
  table: podSchedulingContextTable,
};
