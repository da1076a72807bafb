import type { ResourceDefinition } from "@gatehouse/apiserver/registry";
import { defineResources } from "@gatehouse/apiserver/registry";
import { cronJobRow } from "./cron-job/definition.js";
import { jobRow } from "./job/definition.js";

/** Work that ends. */
export const batchResources: readonly ResourceDefinition[] = defineResources("batch", "v1", [cronJobRow, jobRow]);
