import { defineResources, type ResourceDefinition } from "@gatehouse/apiserver/registry";
import { ingressRow } from "./ingress/definition.js";
import { ingressClassRow } from "./ingress-class/definition.js";
import { ipAddressRow } from "./ip-address/definition.js";
import { networkPolicyRow } from "./network-policy/definition.js";
import { serviceCidrRow } from "./service-cidr/definition.js";

/** The resources of networking.k8s.io: ingresses, network policies and service addresses. */
export const networkingResources: readonly ResourceDefinition[] = [
  ...defineResources("networking.k8s.io", "v1", [ingressClassRow, ingressRow, networkPolicyRow]),
  ...defineResources("networking.k8s.io", "v1alpha1", [ipAddressRow, serviceCidrRow]),
];
