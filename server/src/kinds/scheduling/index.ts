import type { ResourceDefinition } from "../../catalogue/resource-definition.js";
import { defineResources } from "../define-resource.js";
import { priorityClassRow } from "./priority-class/definition.js";

/** Pod priorities. */
export const schedulingResources: readonly ResourceDefinition[] = defineResources("scheduling.k8s.io", "v1", [
  priorityClassRow,
]);
