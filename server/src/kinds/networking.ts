import type { ResourceDefinition } from "../catalogue/resource-definition.js";
import { defineResources, statusSubresource } from "./define-resource.js";

/** Ingress, network policy and service addresses. */
export const networkingResources: readonly ResourceDefinition[] = [
  ...defineResources("networking.k8s.io", "v1", [
    {
      resource: "ingressclasses",
      kind: "IngressClass",
      namespaced: false,
      storageVersionHash: "l/iqIbDgFyQ=",
      hasGeneration: true,
    },
    {
      resource: "ingresses",
      kind: "Ingress",
      namespaced: true,
      shortNames: ["ing"],
      subresources: [statusSubresource],
      storage: { prefix: "ingress" },
      storageVersionHash: "39NQlfNR+bo=",
      hasGeneration: true,
    },
    {
      resource: "networkpolicies",
      kind: "NetworkPolicy",
      namespaced: true,
      shortNames: ["netpol"],
      storageVersionHash: "YpfwF18m1G8=",
      hasGeneration: true,
    },
  ]),
  ...defineResources("networking.k8s.io", "v1alpha1", [
    {
      resource: "ipaddresses",
      kind: "IPAddress",
      namespaced: false,
      shortNames: ["ip"],
      storageVersionHash: "3APLM23DOxw=",
      servedByDefault: false,
      nameRule: "pathSegment",
    },
    {
      resource: "servicecidrs",
      kind: "ServiceCIDR",
      namespaced: false,
      subresources: [statusSubresource],
      storageVersionHash: "3cDF5hqTkLY=",
      servedByDefault: false,
      // v1.29 takes the status from whoever writes the object.
      hasStatus: false,
    },
  ]),
];
