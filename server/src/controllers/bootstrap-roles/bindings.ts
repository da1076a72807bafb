import type { BindingDefinition } from "./policy-notation.js";

/**
 * The bindings that v1.29 makes at start, except those of controllers, which go to the service accounts of the same
 * names.
 */
export const bindingDefinitions: readonly BindingDefinition[] = [
  { name: "cluster-admin", subjects: ["group:system:masters"] },
  { name: "system:monitoring", subjects: ["group:system:monitoring"] },
  { name: "system:discovery", subjects: ["group:system:authenticated"] },
  { name: "system:basic-user", subjects: ["group:system:authenticated"] },
  { name: "system:public-info-viewer", subjects: ["group:system:authenticated", "group:system:unauthenticated"] },
  { name: "system:node-proxier", subjects: ["user:system:kube-proxy"] },
  { name: "system:kube-controller-manager", subjects: ["user:system:kube-controller-manager"] },
  { name: "system:kube-dns", subjects: ["account:kube-dns@kube-system"] },
  { name: "system:kube-scheduler", subjects: ["user:system:kube-scheduler"] },
  { name: "system:volume-scheduler", subjects: ["user:system:kube-scheduler"] },
  { name: "system:node", subjects: [] },
  { name: "system:service-account-issuer-discovery", subjects: ["group:system:serviceaccounts"] },
  {
    name: "system:cluster-trust-bundle-discovery",
    gates: "ClusterTrustBundle",
    subjects: ["group:system:serviceaccounts"],
  },
  {
    name: "system::extension-apiserver-authentication-reader",
    namespace: "kube-system",
    role: "extension-apiserver-authentication-reader",
    subjects: ["user:system:kube-controller-manager", "user:system:kube-scheduler"],
  },
  {
    name: "system::leader-locking-kube-controller-manager",
    namespace: "kube-system",
    subjects: ["user:system:kube-controller-manager", "account:kube-controller-manager@kube-system"],
  },
  {
    name: "system::leader-locking-kube-scheduler",
    namespace: "kube-system",
    subjects: ["user:system:kube-scheduler", "account:kube-scheduler@kube-system"],
  },
  {
    name: "system:controller:bootstrap-signer",
    namespace: "kube-system",
    subjects: ["account:bootstrap-signer@kube-system"],
  },
  {
    name: "system:controller:cloud-provider",
    namespace: "kube-system",
    subjects: ["account:cloud-provider@kube-system"],
  },
  {
    name: "system:controller:token-cleaner",
    namespace: "kube-system",
    subjects: ["account:token-cleaner@kube-system"],
  },
  {
    name: "system:controller:bootstrap-signer",
    namespace: "kube-public",
    subjects: ["account:bootstrap-signer@kube-system"],
  },
];
