import type { ResourceDefinition } from "../catalogue/resource-definition.js";
import { defineResources, statusSubresource } from "./define-resource.js";

/** Disruption budgets. */
export const policyResources: readonly ResourceDefinition[] = defineResources("policy", "v1", [
  {
    resource: "poddisruptionbudgets",
    kind: "PodDisruptionBudget",
    namespaced: true,
    shortNames: ["pdb"],
    subresources: [statusSubresource],
    storageVersionHash: "EVWiDmWqyJw=",
    nameRule: "pathSegment",
    allowUnconditionalUpdate: false,
    hasGeneration: true,
  },
]);
