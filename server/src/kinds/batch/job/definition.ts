import { type KindDefinition, statusSubresource } from "@gatehouse/apiserver/registry";
import { integerAt } from "@gatehouse/envelopes/json";
import { jobColumns } from "./columns.js";
import { jobStrategy } from "./strategy.js";
import { jobValidation } from "./validation/index.js";
import { jobWarnings } from "./warnings.js";

/**
 * The definition of Job, whose pods run to their end. A deletion without a propagation policy orphans them, as it
 * always has, and warns of that.
 */
export const jobDefinition: KindDefinition = {
  resource: "jobs",
  kind: "Job",
  namespaced: true,
  metadataRechecks: "inValidation",
  categories: ["all"],
  subresources: [statusSubresource],
  storageVersionHash: "mudhfqk/qZY=",
  hasGeneration: true,
  defaultPropagation: "Orphan",
  defaultDeletionWarning:
    "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning",
  fields: { "status.successful": (job) => String(integerAt(job, "status", "succeeded")) },
  table: jobColumns,
  validation: jobValidation,
  warnings: jobWarnings,
  ...jobStrategy,
};
