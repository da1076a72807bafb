import { defineResources, type ResourceDefinition } from "@gatehouse/apiserver/registry";
import { priorityClassDefinition } from "./priority-class/definition.js";

/** The resources of scheduling.k8s.io: priority classes. */
export const schedulingResources: readonly ResourceDefinition[] = defineResources("scheduling.k8s.io", "v1", [
  priorityClassDefinition,
]);
