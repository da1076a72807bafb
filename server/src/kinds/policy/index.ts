import { defineResources, type ResourceDefinition } from "@gatehouse/apiserver/registry";
import { podDisruptionBudgetDefinition } from "./pod-disruption-budget/definition.js";

/** The resources of policy: pod disruption budgets. */
export const policyResources: readonly ResourceDefinition[] = defineResources("policy", "v1", [
  podDisruptionBudgetDefinition,
]);
