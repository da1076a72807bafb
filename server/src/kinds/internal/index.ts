import { defineResources, type ResourceDefinition } from "@gatehouse/apiserver/registry";
import { storageVersionDefinition } from "./storage-version/definition.js";

/** The resources of internal.apiserver.k8s.io, by which the API servers of a cluster inform each other. */
export const internalResources: readonly ResourceDefinition[] = defineResources(
  "internal.apiserver.k8s.io",
  "v1alpha1",
  [storageVersionDefinition],
);
