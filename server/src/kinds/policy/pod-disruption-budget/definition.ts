import { type ResourceRow, statusSubresource } from "@gatehouse/apiserver/registry";
import { podDisruptionBudgetTable } from "./columns.js";
import { podDisruptionBudgetRules } from "./rules.js";

/**
 * The definition of PodDisruptionBudget, a limit on simultaneous evictions of pods. An update must name the version it
 * replaces.
 */
export const podDisruptionBudgetRow: ResourceRow = {
  resource: "poddisruptionbudgets",
  kind: "PodDisruptionBudget",
  namespaced: true,
  metadataOnCreate: "afterRules",
  metadataRechecks: "inRules",
  finalizerRule: "any",
  shortNames: ["pdb"],
  subresources: [statusSubresource],
  storageVersionHash: "EVWiDmWqyJw=",
  nameRule: "pathSegment",
  allowUnconditionalUpdate: false,
  hasGeneration: true,
  table: podDisruptionBudgetTable,
  rules: podDisruptionBudgetRules,
};
