import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { resourceClaimTemplateColumns } from "./columns.js";
import { resourceClaimTemplateValidation } from "./validation.js";

/**
 * The definition of ResourceClaimTemplate, from which claims of pods are made (KEP-3063): alpha, so served only on
 * request.
 */
export const resourceClaimTemplateDefinition: KindDefinition = {
  resource: "resourceclaimtemplates",
  kind: "ResourceClaimTemplate",
  namespaced: true,
  storageVersionHash: "1o2b66bFoGM=",
  servedByDefault: false,
  table: resourceClaimTemplateColumns,
  strategy: {
    validation: resourceClaimTemplateValidation,
    metadata: { rechecks: "inValidation" },
    deletion: { returnsDeletedObject: true },
  },
};
