import { defineResources, type ResourceDefinition } from "@gatehouse/apiserver/registry";
import { leaseDefinition } from "./lease/definition.js";

/** The resources of coordination.k8s.io: leases. */
export const coordinationResources: readonly ResourceDefinition[] = defineResources("coordination.k8s.io", "v1", [
  leaseDefinition,
]);
