import { defineResources, type ResourceDefinition } from "@gatehouse/apiserver/registry";
import { certificateSigningRequestDefinition } from "./certificate-signing-request/definition.js";
import { clusterTrustBundleDefinition } from "./cluster-trust-bundle/definition.js";

/** The resources of certificates.k8s.io. */
export const certificatesResources: readonly ResourceDefinition[] = [
  ...defineResources("certificates.k8s.io", "v1", [certificateSigningRequestDefinition]),
  ...defineResources("certificates.k8s.io", "v1alpha1", [clusterTrustBundleDefinition]),
];
