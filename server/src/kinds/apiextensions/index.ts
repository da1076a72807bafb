import { defineResources, type ResourceDefinition } from "@gatehouse/apiserver/registry";
import { customResourceDefinitionDefinition } from "@gatehouse/custom-resources/definition";

/** The resources of apiextensions.k8s.io: definitions of custom resources. */
export const apiextensionsResources: readonly ResourceDefinition[] = defineResources("apiextensions.k8s.io", "v1", [
  customResourceDefinitionDefinition,
]);
