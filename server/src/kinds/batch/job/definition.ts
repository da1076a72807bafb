import { integerAt } from "../../../objects/json-fields.js";
import { type ResourceRow, statusSubresource } from "../../define-resource.js";
import { jobTable } from "./columns.js";
import { jobDefaults } from "./defaults.js";
import { jobStrategy } from "./strategy.js";

export const jobRow: ResourceRow = {
  resource: "jobs",
  kind: "Job",
  namespaced: true,
  categories: ["all"],
  subresources: [statusSubresource],
  storageVersionHash: "mudhfqk/qZY=",
  hasGeneration: true,
  defaultPropagation: "Orphan",
  fields: { "status.successful": (job) => String(integerAt(job, "status", "succeeded")) },
  table: jobTable,
  defaultingRules: jobDefaults,
  ...jobStrategy,
};
