import { type KindDefinition, statusSubresource } from "@gatehouse/apiserver/registry";
import { podSchedulingContextColumns } from "./columns.js";
import { podSchedulingContextValidation } from "./validation.js";

/**
 * The definition of PodSchedulingContext, by which scheduler and drivers agree on a node (KEP-3063): alpha, so served
 * only on request.
 */
export const podSchedulingContextDefinition: KindDefinition = {
  resource: "podschedulingcontexts",
  kind: "PodSchedulingContext",
  namespaced: true,
  subresources: [{ ...statusSubresource, hasNoTable: true }],
  storageVersionHash: "qtdNX2rnDEA=",
  servedByDefault: false,
  table: podSchedulingContextColumns,
  strategy: {
    validation: podSchedulingContextValidation,
    metadata: { rechecks: "inValidation" },
    deletion: { returnsDeletedObject: true },
  },
};
