import { type ResourceRow, statusSubresource } from "@gatehouse/apiserver/registry";
import { integerAt } from "@gatehouse/envelopes/json";
import { jobTable } from "./columns.js";
import { jobRules } from "./rules/index.js";
import { jobStrategy } from "./strategy.js";
import { jobWarnings } from "./warnings.js";

/**
 * The definition of Job, whose pods run to their end. A deletion without a propagation policy orphans them, as it
 * always has, and warns of that.
 */
export const jobRow: ResourceRow = {
  resource: "jobs",
  kind: "Job",
  namespaced: true,
  metadataRechecks: "inRules",
  categories: ["all"],
  subresources: [statusSubresource],
  storageVersionHash: "mudhfqk/qZY=",
  hasGeneration: true,
  defaultPropagation: "Orphan",
  defaultDeletionWarning:
    "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning",
  fields: { "status.successful": (job) => String(integerAt(job, "status", "succeeded")) },
  table: jobTable,
  rules: jobRules,
  warnings: jobWarnings,
  ...jobStrategy,
};
