import { generationOfSpec, type KindDefinition, statusSubresource } from "@gatehouse/apiserver/registry";
import { validatePathSegmentName } from "@gatehouse/envelopes/validation";
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
  shortNames: ["pdb"],
  subresources: [statusSubresource],
  storageVersionHash: "EVWiDmWqyJw=",
  table: podDisruptionBudgetColumns,
  strategy: {
    validation: podDisruptionBudgetValidation,
    metadata: {
      onCreate: "afterValidation",
      rechecks: "inValidation",
      knownFinalizersOnly: false,
      validateName: validatePathSegmentName,
    },
    generation: generationOfSpec,
    update: { allowUnconditionalUpdate: false },
  },
};
