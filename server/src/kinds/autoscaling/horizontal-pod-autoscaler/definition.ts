import { type ResourceRow, statusSubresource } from "@gatehouse/apiserver/registry";
import { horizontalPodAutoscalerTable } from "./columns.js";
import { autoscalerConversion } from "./conversion.js";
import { horizontalPodAutoscalerRules, horizontalPodAutoscalerV1Rules } from "./rules/rules.js";

/** v2, whose form is stored. The metrics may be of any type, where v1 has room for CPU only. */
export const horizontalPodAutoscalerRow: ResourceRow = {
  resource: "horizontalpodautoscalers",
  kind: "HorizontalPodAutoscaler",
  namespaced: true,
  metadataRechecks: ["change"],
  shortNames: ["hpa"],
  categories: ["all"],
  subresources: [statusSubresource],
  storageVersionHash: "qwQve8ut294=",
  table: horizontalPodAutoscalerTable,
  rules: horizontalPodAutoscalerRules,
};

/** The older version, which is stored in the form of the newer. */
export const horizontalPodAutoscalerV1Row: ResourceRow = {
  ...horizontalPodAutoscalerRow,
  storage: { version: "v2" },
  conversion: autoscalerConversion,
  rules: horizontalPodAutoscalerV1Rules,
};
