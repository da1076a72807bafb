import type { GroupResource } from "@gatehouse/envelopes";

/** Resources that controllers know by name. */
export const namespaces: GroupResource = Object.freeze({ group: "", resource: "namespaces" });
/** Every namespace gets one named `default`. */
export const serviceAccounts: GroupResource = Object.freeze({ group: "", resource: "serviceaccounts" });
/** Some of them hold tokens of service accounts. */
export const secrets: GroupResource = Object.freeze({ group: "", resource: "secrets" });
/** Approved ones are signed. */
export const certificateSigningRequests: GroupResource = Object.freeze({
  group: "certificates.k8s.io",
  resource: "certificatesigningrequests",
});
/** Every namespace gets `kube-root-ca.crt`. */
export const configMaps: GroupResource = Object.freeze({ group: "", resource: "configmaps" });
/** One of them is `kubernetes`, by which pods find the API server. */
export const services: GroupResource = Object.freeze({ group: "", resource: "services" });
/** Where a service leads, in the form that older clients read. */
export const endpoints: GroupResource = Object.freeze({ group: "", resource: "endpoints" });
/** Where a service leads. */
export const endpointSlices: GroupResource = Object.freeze({ group: "discovery.k8s.io", resource: "endpointslices" });
/** Collected when they are left without a node. */
export const pods: GroupResource = Object.freeze({ group: "", resource: "pods" });
/** How much may be used in a namespace. */
export const resourceQuotas: GroupResource = Object.freeze({ group: "", resource: "resourcequotas" });
/** Quotas count them, and the storage that they ask for. */
export const persistentVolumeClaims: GroupResource = Object.freeze({ group: "", resource: "persistentvolumeclaims" });
/** Storage that claims are bound to. */
export const persistentVolumes: GroupResource = Object.freeze({ group: "", resource: "persistentvolumes" });
/** How many pods may be evicted at a time. */
export const podDisruptionBudgets: GroupResource = Object.freeze({ group: "policy", resource: "poddisruptionbudgets" });
/** Those that are gone leave pods behind. */
export const nodes: GroupResource = Object.freeze({ group: "", resource: "nodes" });
/** Tell people of owners in the wrong namespace. */
export const events: GroupResource = Object.freeze({ group: "", resource: "events" });
/** Who serves which group version. */
export const apiServices: GroupResource = Object.freeze({ group: "apiregistration.k8s.io", resource: "apiservices" });
