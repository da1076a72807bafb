import { type KindDefinition, statusSubresource } from "@gatehouse/apiserver/registry";
import { integerAt } from "@gatehouse/envelopes/json";
import { jobColumns } from "./columns.js";
import { jobStrategy } from "./strategy.js";

/**
 * The definition of Job, whose pods run to their end. A deletion without a propagation policy orphans them, as it
 * always has, and warns of that.
 */
export const jobDefinition: KindDefinition = {
  resource: "jobs",
  kind: "Job",
  namespaced: true,
  categories: ["all"],
  subresources: [statusSubresource],
  storageVersionHash: "mudhfqk/qZY=",
  fields: { "status.successful": (job) => String(integerAt(job, "status", "succeeded")) },
  table: jobColumns,
  strategy: jobStrategy,
};
