import type { ResourceDefinition } from "../catalogue/resource-definition.js";
import { integerAt } from "../objects/json-fields.js";
import { defineResources, statusSubresource } from "./define-resource.js";
import { jobStrategy } from "./job-strategy.js";

/** Work that ends. */
export const batchResources: readonly ResourceDefinition[] = defineResources("batch", "v1", [
  {
    resource: "cronjobs",
    kind: "CronJob",
    namespaced: true,
    shortNames: ["cj"],
    categories: ["all"],
    subresources: [statusSubresource],
    storageVersionHash: "sd5LIXh4Fjs=",
    hasGeneration: true,
  },
  {
    resource: "jobs",
    kind: "Job",
    namespaced: true,
    categories: ["all"],
    subresources: [statusSubresource],
    storageVersionHash: "mudhfqk/qZY=",
    hasGeneration: true,
    defaultPropagation: "Orphan",
    fields: { "status.successful": (job) => String(integerAt(job, "status", "succeeded")) },
    ...jobStrategy,
  },
]);
