import { defineResources, type ResourceDefinition } from "@gatehouse/apiserver/registry";
import { ingressDefinition } from "./ingress/definition.js";
import { ingressClassDefinition } from "./ingress-class/definition.js";
import { ipAddressDefinition } from "./ip-address/definition.js";
import { networkPolicyDefinition } from "./network-policy/definition.js";
import { serviceCidrDefinition } from "./service-cidr/definition.js";

/** The resources of networking.k8s.io: ingresses, network policies and service addresses. */
export const networkingResources: readonly ResourceDefinition[] = [
  ...defineResources("networking.k8s.io", "v1", [ingressClassDefinition, ingressDefinition, networkPolicyDefinition]),
  ...defineResources("networking.k8s.io", "v1alpha1", [ipAddressDefinition, serviceCidrDefinition]),
];
