import { defineResources, type ResourceDefinition } from "@gatehouse/apiserver/registry";
import { podSchedulingContextRow } from "./pod-scheduling-context/definition.js";
import { resourceClaimRow } from "./resource-claim/definition.js";
import { resourceClaimTemplateRow } from "./resource-claim-template/definition.js";
import { resourceClassRow } from "./resource-class/definition.js";

/** The resources of resource.k8s.io: dynamic resource allocation. */
export const resourceResources: readonly ResourceDefinition[] = defineResources("resource.k8s.io", "v1alpha2", [
  podSchedulingContextRow,
  resourceClaimRow,
  resourceClaimTemplateRow,
  resourceClassRow,
]);
