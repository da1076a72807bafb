import { type KindDefinition, statusSubresource } from "@gatehouse/apiserver/registry";
import { horizontalPodAutoscalerColumns } from "./columns.js";
import { autoscalerConversion } from "./conversion.js";
import { horizontalPodAutoscalerV1Validation, horizontalPodAutoscalerValidation } from "./validation/index.js";

/**
 * The definition of HorizontalPodAutoscaler in v2, whose form is stored. Its metrics may be of any type, while v1 has
 * room for CPU only.
 */
export const horizontalPodAutoscalerDefinition: KindDefinition = {
  resource: "horizontalpodautoscalers",
  kind: "HorizontalPodAutoscaler",
  namespaced: true,
  shortNames: ["hpa"],
  categories: ["all"],
  subresources: [statusSubresource],
  storageVersionHash: "qwQve8ut294=",
  table: horizontalPodAutoscalerColumns,
  strategy: {
    validation: horizontalPodAutoscalerValidation,
    metadata: { rechecks: ["change"] },
  },
};

/** The definition of HorizontalPodAutoscaler in v1, stored in the form of v2. */
export const horizontalPodAutoscalerV1Definition: KindDefinition = {
  ...horizontalPodAutoscalerDefinition,
  storage: { version: "v2" },
  conversion: autoscalerConversion,
  strategy: { ...horizontalPodAutoscalerDefinition.strategy, validation: horizontalPodAutoscalerV1Validation },
};
