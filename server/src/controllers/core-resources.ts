import type { GroupResource } from "@gatehouse/envelopes/status";

/** Namespaces. The constants here are the resources that controllers know by name. */
export const namespaces: GroupResource = Object.freeze({ group: "", resource: "namespaces" });
/** Service accounts. Every namespace gets one named `default`. */
export const serviceAccounts: GroupResource = Object.freeze({ group: "", resource: "serviceaccounts" });
/** Secrets, some of which hold tokens of service accounts. */
export const secrets: GroupResource = Object.freeze({ group: "", resource: "secrets" });
/** Certificate signing requests, which are signed when approved. */
export const certificateSigningRequests: GroupResource = Object.freeze({
  group: "certificates.k8s.io",
  resource: "certificatesigningrequests",
});
/** Config maps. Every namespace gets `kube-root-ca.crt`. */
export const configMaps: GroupResource = Object.freeze({ group: "", resource: "configmaps" });
/** Services, one of which is `kubernetes`, by which pods find the API server. */
export const services: GroupResource = Object.freeze({ group: "", resource: "services" });
/** Endpoints: the addresses behind a service, in the form that older clients read. */
export const endpoints: GroupResource = Object.freeze({ group: "", resource: "endpoints" });
/** EndpointSlices: the addresses behind a service. */
export const endpointSlices: GroupResource = Object.freeze({ group: "discovery.k8s.io", resource: "endpointslices" });
/** Pods, which are collected when they are left without a node. */
export const pods: GroupResource = Object.freeze({ group: "", resource: "pods" });
/** Resource quotas: limits for a namespace. */
export const resourceQuotas: GroupResource = Object.freeze({ group: "", resource: "resourcequotas" });
/** Persistent volume claims, which quotas count with the storage that they request. */
export const persistentVolumeClaims: GroupResource = Object.freeze({ group: "", resource: "persistentvolumeclaims" });
/** Persistent volumes, which claims are bound to. */
export const persistentVolumes: GroupResource = Object.freeze({ group: "", resource: "persistentvolumes" });
/** Pod disruption budgets: limits for evictions at a time. */
export const podDisruptionBudgets: GroupResource = Object.freeze({ group: "policy", resource: "poddisruptionbudgets" });
/** Nodes. One that is gone leaves pods behind. */
export const nodes: GroupResource = Object.freeze({ group: "", resource: "nodes" });
/** Events, which report owners in the wrong namespace. */
export const events: GroupResource = Object.freeze({ group: "", resource: "events" });
/** Storage versions, by which servers tell each other in which version they store a resource. */
export const storageVersions: GroupResource = Object.freeze({
  group: "internal.apiserver.k8s.io",
  resource: "storageversions",
});
/** API services, which name the server of each group version. */
export const apiServices: GroupResource = Object.freeze({ group: "apiregistration.k8s.io", resource: "apiservices" });
