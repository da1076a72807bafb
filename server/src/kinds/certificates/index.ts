import { defineResources, type ResourceDefinition } from "@gatehouse/apiserver/registry";
import { certificateSigningRequestRow } from "./certificate-signing-request/definition.js";
import { clusterTrustBundleRow } from "./cluster-trust-bundle/definition.js";

/** The resources of certificates.k8s.io. */
export const certificatesResources: readonly ResourceDefinition[] = [
  ...defineResources("certificates.k8s.io", "v1", [certificateSigningRequestRow]),
  ...defineResources("certificates.k8s.io", "v1alpha1", [clusterTrustBundleRow]),
];
