import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { templateWarnings } from "../../workload-warnings.js";
import { podTemplateTable } from "./columns.js";
import { podTemplateRules } from "./rules.js";

/**
 * The definition of PodTemplate, a template without a controller. Its generation counts changes of `template`, since it
 * has no spec.
 */
export const podTemplateRow: ResourceRow = {
  resource: "podtemplates",
  kind: "PodTemplate",
  namespaced: true,
  metadataRechecks: ["change"],
  storageVersionHash: "LIXB2x4IFpk=",
  hasGeneration: true,
  desiredState: ["template"],
  returnsDeletedObject: true,
  table: podTemplateTable,
  rules: podTemplateRules,
  warnings: templateWarnings(["template"]),
};
