import { generationOf, type KindDefinition } from "@gatehouse/apiserver/registry";
import { templateWarnings } from "../../workload-warnings.js";
import { podTemplateColumns } from "./columns.js";
import { podTemplateValidation } from "./validation.js";

/**
 * The definition of PodTemplate, a template without a controller. Its generation counts changes of `template`, since it
 * has no spec.
 */
export const podTemplateDefinition: KindDefinition = {
  resource: "podtemplates",
  kind: "PodTemplate",
  namespaced: true,
  storageVersionHash: "LIXB2x4IFpk=",
  table: podTemplateColumns,
  strategy: {
    validation: podTemplateValidation,
    warnings: templateWarnings(["template"]),
    metadata: { rechecks: ["change"] },
    generation: generationOf("template"),
    deletion: { returnsDeletedObject: true },
  },
};
