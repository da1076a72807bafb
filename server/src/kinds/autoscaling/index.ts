import { defineResources, type ResourceDefinition } from "@gatehouse/apiserver/registry";
import { horizontalPodAutoscalerRow, horizontalPodAutoscalerV1Row } from "./horizontal-pod-autoscaler/definition.js";

/** The resources of autoscaling; both versions show the same objects. */
export const autoscalingResources: readonly ResourceDefinition[] = [
  ...defineResources("autoscaling", "v2", [horizontalPodAutoscalerRow]),
  ...defineResources("autoscaling", "v1", [horizontalPodAutoscalerV1Row]),
];
