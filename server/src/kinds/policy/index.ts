import type { ResourceDefinition } from "../../catalogue/resource-definition.js";
import { defineResources } from "../define-resource.js";
import { podDisruptionBudgetRow } from "./pod-disruption-budget/definition.js";

/** The resources of policy: pod disruption budgets. */
export const policyResources: readonly ResourceDefinition[] = defineResources("policy", "v1", [podDisruptionBudgetRow]);
