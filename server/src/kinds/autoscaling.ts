import type { ResourceDefinition } from "../catalogue/resource-definition.js";
import { defineResources, type ResourceRow, statusSubresource } from "./define-resource.js";

const row: ResourceRow = {
  resource: "horizontalpodautoscalers",
  kind: "HorizontalPodAutoscaler",
  namespaced: true,
  shortNames: ["hpa"],
  categories: ["all"],
  subresources: [statusSubresource],
  storageVersionHash: "qwQve8ut294=",
};

/** Autoscalers; both versions show the same objects. */
export const autoscalingResources: readonly ResourceDefinition[] = [
  ...defineResources("autoscaling", "v2", [row]),
  ...defineResources("autoscaling", "v1", [{ ...row, storage: { version: "v2" } }]),
];
