import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { resourceClaimTemplateTable } from "./columns.js";
import { resourceClaimTemplateRules } from "./rules.js";

/**
 * The definition of ResourceClaimTemplate, from which claims of pods are made (KEP-3063): alpha, so served only on
 * request.
 */
export const resourceClaimTemplateRow: ResourceRow = {
  resource: "resourceclaimtemplates",
  kind: "ResourceClaimTemplate",
  namespaced: true,
  metadataRechecks: "inRules",
  storageVersionHash: "1o2b66bFoGM=",
  servedByDefault: false,
  returnsDeletedObject: true,
  table: resourceClaimTemplateTable,
  rules: resourceClaimTemplateRules,
};
