import type { ResourceRow } from "../../define-resource.js";
import { templateWarnings } from "../../workload-warnings.js";
import { podTemplateTable } from "./columns.js";

export const podTemplateRow: ResourceRow = {
  resource: "podtemplates",
  kind: "PodTemplate",
  namespaced: true,
  storageVersionHash: "LIXB2x4IFpk=",
  hasGeneration: true,
  desiredState: (podTemplate) => podTemplate["template"],
  returnsDeletedObject: true,
  table: podTemplateTable,
  warnings: templateWarnings("template"),
};
