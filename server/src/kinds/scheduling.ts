import type { ResourceDefinition } from "../catalogue/resource-definition.js";
import { defineResources } from "./define-resource.js";

/** The generation of a priority class is 1 for ever. */
function nothing(): undefined {
  return undefined;
}

/** Pod priorities. */
export const schedulingResources: readonly ResourceDefinition[] = defineResources("scheduling.k8s.io", "v1", [
  {
    resource: "priorityclasses",
    kind: "PriorityClass",
    namespaced: false,
    shortNames: ["pc"],
    storageVersionHash: "1QwjyaZjj3Y=",
    hasGeneration: true,
    desiredState: nothing,
  },
]);
