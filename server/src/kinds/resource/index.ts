import { defineResources, type ResourceDefinition } from "@gatehouse/apiserver/registry";
import { podSchedulingContextDefinition } from "./pod-scheduling-context/definition.js";
import { resourceClaimDefinition } from "./resource-claim/definition.js";
import { resourceClaimTemplateDefinition } from "./resource-claim-template/definition.js";
import { resourceClassDefinition } from "./resource-class/definition.js";

/** The resources of resource.k8s.io: dynamic resource allocation. */
export const resourceResources: readonly ResourceDefinition[] = defineResources("resource.k8s.io", "v1alpha2", [
  podSchedulingContextDefinition,
  resourceClaimDefinition,
  resourceClaimTemplateDefinition,
  resourceClassDefinition,
]);
