export type { EtcdTransport } from "./etcd-client.js";
export { EtcdMetrics } from "./etcd-metrics.js";
export { type EtcdStoreOptions, openEtcdStore } from "./etcd-store.js";
