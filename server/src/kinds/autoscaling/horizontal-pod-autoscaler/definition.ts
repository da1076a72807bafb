import { type ResourceRow, statusSubresource } from "@gatehouse/apiserver/registry";
import { horizontalPodAutoscalerTable } from "./columns.js";
import { autoscalerConversion } from "./conversion.js";
import { horizontalPodAutoscalerRules, horizontalPodAutoscalerV1Rules } from "./rules/rules.js";

/**
 * The definition of HorizontalPodAutoscaler in v2, whose form is stored. Its metrics may be of any type, while v1 has
 * room for CPU only.
 */
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

/** The definition of HorizontalPodAutoscaler in v1, stored in the form of v2. */
export const horizontalPodAutoscalerV1Row: ResourceRow = {
  ...horizontalPodAutoscalerRow,
  storage: { version: "v2" },
  conversion: autoscalerConversion,
  rules: horizontalPodAutoscalerV1Rules,
};
