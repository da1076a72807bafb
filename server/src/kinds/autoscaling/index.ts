import { defineResources, type ResourceDefinition } from "@gatehouse/apiserver/registry";
import {
  horizontalPodAutoscalerDefinition,
  horizontalPodAutoscalerV1Definition,
} from "./horizontal-pod-autoscaler/definition.js";

/** The resources of autoscaling; both versions show the same objects. */
export const autoscalingResources: readonly ResourceDefinition[] = [
  ...defineResources("autoscaling", "v2", [horizontalPodAutoscalerDefinition]),
  ...defineResources("autoscaling", "v1", [horizontalPodAutoscalerV1Definition]),
];
