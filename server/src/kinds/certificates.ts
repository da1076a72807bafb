import type { ResourceDefinition, SelectableField } from "../catalogue/resource-definition.js";
import { textAt } from "../objects/json-fields.js";
import { certificateSigningRequestStrategy } from "./certificate-strategy.js";
import { defineResources, statusSubresource } from "./define-resource.js";

const signerNameField: Readonly<Record<string, SelectableField>> = {
  "spec.signerName": (object) => textAt(object, "spec", "signerName"),
};

/** Certificates. */
export const certificatesResources: readonly ResourceDefinition[] = [
  ...defineResources("certificates.k8s.io", "v1", [
    {
      resource: "certificatesigningrequests",
      kind: "CertificateSigningRequest",
      namespaced: false,
      shortNames: ["csr"],
      subresources: [{ name: "approval", kind: undefined, verbs: ["get", "patch", "update"] }, statusSubresource],
      storageVersionHash: "95fRKMXA+00=",
      nameRule: "pathSegment",
      fields: signerNameField,
      ...certificateSigningRequestStrategy,
    },
  ]),
  ...defineResources("certificates.k8s.io", "v1alpha1", [
    {
      resource: "clustertrustbundles",
      kind: "ClusterTrustBundle",
      namespaced: false,
      storageVersionHash: "XGGGW2kGm+w=",
      servedByDefault: false,
      gate: "ClusterTrustBundle",
      nameRule: "pathSegment",
      allowUnconditionalUpdate: false,
      fields: signerNameField,
    },
  ]),
];
