import { type ResourceRow, statusSubresource } from "@gatehouse/apiserver/registry";
import { cronJobTable } from "./columns.js";
import { cronJobRules } from "./rules.js";
import { cronJobWarnings } from "./warnings.js";

/** The definition of CronJob, which makes jobs by a schedule. */
export const cronJobRow: ResourceRow = {
  resource: "cronjobs",
  kind: "CronJob",
  namespaced: true,
  metadataRechecks: ["change"],
  shortNames: ["cj"],
  categories: ["all"],
  subresources: [statusSubresource],
  storageVersionHash: "sd5LIXh4Fjs=",
  hasGeneration: true,
  table: cronJobTable,
  rules: cronJobRules,
  warnings: cronJobWarnings,
};
