import { type KindDefinition, statusSubresource } from "@gatehouse/apiserver/registry";
import { podDisruptionBudgetColumns } from "./columns.js";
import { podDisruptionBudgetValidation } from "./validation.js";

/**
 * The definition of PodDisruptionBudget, a limit on simultaneous evictions of pods. An update must name the version it
 * replaces.
 */
export const podDisruptionBudgetDefinition: KindDefinition = {
  resource: "poddisruptionbudgets",
  kind: "PodDisruptionBudget",
  namespaced: true,
  metadataOnCreate: "afterValidation",
  metadataRechecks: "inValidation",
  finalizerNames: "any",
  shortNames: ["pdb"],
  subresources: [statusSubresource],
  storageVersionHash: "EVWiDmWqyJw=",
  nameFormat: "pathSegment",
  allowUnconditionalUpdate: false,
  hasGeneration: true,
  table: podDisruptionBudgetColumns,
  validation: podDisruptionBudgetValidation,
};
