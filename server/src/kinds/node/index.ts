import { defineResources, type ResourceDefinition } from "@gatehouse/apiserver/registry";
import { runtimeClassDefinition } from "./runtime-class/definition.js";

/** The resources of node.k8s.io: runtime classes. */
export const nodeResources: readonly ResourceDefinition[] = defineResources("node.k8s.io", "v1", [
  runtimeClassDefinition,
]);
