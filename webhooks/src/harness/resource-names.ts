/** Plural name of a kind's resource, as Kubernetes forms them: `NetworkPolicy` is in `networkpolicies`. */
export function resourceNameOf(kind: string): string {
  const name = kind.toLowerCase();
  if (name === "endpoints") {
    return name;
  }
  return /[^aeiou]y$/.test(name) ? `${name.slice(0, -1)}ies` : /(?:s|x|ch|sh)$/.test(name) ? `${name}es` : `${name}s`;
}

const clusterKinds: ReadonlySet<string> = new Set([
  "APIService",
  "CSIDriver",
  "CSINode",
  "CertificateSigningRequest",
  "ClusterRole",
  "ClusterRoleBinding",
  "CustomResourceDefinition",
  "FlowSchema",
  "IngressClass",
  "MutatingWebhookConfiguration",
  "Namespace",
  "Node",
  "PersistentVolume",
  "PriorityClass",
  "PriorityLevelConfiguration",
  "RuntimeClass",
  "StorageClass",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
  "ValidatingWebhookConfiguration",
  "VolumeAttachment",
]);

/** Whether objects of a built-in kind belong to no namespace. */
export function isClusterKind(kind: string): boolean {
  return clusterKinds.has(kind);
}
