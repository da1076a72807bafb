import { generationOfSpec, type KindDefinition, statusSubresource } from "@gatehouse/apiserver/registry";
import { cronJobColumns } from "./columns.js";
import { cronJobValidation } from "./validation.js";
import { cronJobWarnings } from "./warnings.js";

/** The definition of CronJob, which makes jobs by a schedule. */
export const cronJobDefinition: KindDefinition = {
  resource: "cronjobs",
  kind: "CronJob",
  namespaced: true,
  shortNames: ["cj"],
  categories: ["all"],
  subresources: [statusSubresource],
  storageVersionHash: "sd5LIXh4Fjs=",
  table: cronJobColumns,
  strategy: {
    validation: cronJobValidation,
    warnings: cronJobWarnings,
    metadata: { rechecks: "inValidation" },
    generation: generationOfSpec,
  },
};
