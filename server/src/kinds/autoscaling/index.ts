import type { ResourceDefinition } from "../../catalogue/resource-definition.js";
import { defineResources } from "../define-resource.js";
import { horizontalPodAutoscalerRow, horizontalPodAutoscalerV1Row } from "./horizontal-pod-autoscaler/definition.js";

/** The resources of autoscaling; both versions show the same objects. */
export const autoscalingResources: readonly ResourceDefinition[] = [
  ...defineResources("autoscaling", "v2", [horizontalPodAutoscalerRow]),
  ...defineResources("autoscaling", "v1", [horizontalPodAutoscalerV1Row]),
];
