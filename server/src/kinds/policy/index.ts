import type { ResourceDefinition } from "@gatehouse/apiserver/registry";
import { defineResources } from "@gatehouse/apiserver/registry";
import { podDisruptionBudgetRow } from "./pod-disruption-budget/definition.js";

/** Disruption budgets. */
export const policyResources: readonly ResourceDefinition[] = defineResources("policy", "v1", [podDisruptionBudgetRow]);
