import type { GroupResource } from "@gatehouse/envelopes";

/** Resources that controllers know by name. */
export const namespaces: GroupResource = Object.freeze({ group: "", resource: "namespaces" });
export const serviceAccounts: GroupResource = Object.freeze({ group: "", resource: "serviceaccounts" });
export const configMaps: GroupResource = Object.freeze({ group: "", resource: "configmaps" });
export const services: GroupResource = Object.freeze({ group: "", resource: "services" });
export const endpoints: GroupResource = Object.freeze({ group: "", resource: "endpoints" });
export const endpointSlices: GroupResource = Object.freeze({ group: "discovery.k8s.io", resource: "endpointslices" });
export const pods: GroupResource = Object.freeze({ group: "", resource: "pods" });
export const nodes: GroupResource = Object.freeze({ group: "", resource: "nodes" });
export const events: GroupResource = Object.freeze({ group: "", resource: "events" });
