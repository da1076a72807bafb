import { defineResources, type ResourceDefinition } from "@gatehouse/apiserver/registry";
import { apiServiceDefinition } from "./api-service/definition.js";

/** The resources of apiregistration.k8s.io: registered API services. */
export const apiregistrationResources: readonly ResourceDefinition[] = defineResources("apiregistration.k8s.io", "v1", [
  apiServiceDefinition,
]);
