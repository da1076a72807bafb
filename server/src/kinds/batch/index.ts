import { defineResources, type ResourceDefinition } from "@gatehouse/apiserver/registry";
import { cronJobDefinition } from "./cron-job/definition.js";
import { jobDefinition } from "./job/definition.js";

/** The resources of batch: jobs and cron jobs. */
export const batchResources: readonly ResourceDefinition[] = defineResources("batch", "v1", [
  cronJobDefinition,
  jobDefinition,
]);
