import { type ResourceRow, statusSubresource } from "@gatehouse/apiserver/registry";
import { podSchedulingContextTable } from "./columns.js";
import { podSchedulingContextRules } from "./rules.js";

/**
 * The definition of PodSchedulingContext, by which scheduler and drivers agree on a node (KEP-3063): alpha, so served
 * only on request.
 */
export const podSchedulingContextRow: ResourceRow = {
  resource: "podschedulingcontexts",
  kind: "PodSchedulingContext",
  namespaced: true,
  metadataRechecks: "inRules",
  subresources: [statusSubresource],
  storageVersionHash: "qtdNX2rnDEA=",
  servedByDefault: false,
  returnsDeletedObject: true,
  table: podSchedulingContextTable,
  rules: podSchedulingContextRules,
};
