export type { EtcdTransport } from "./etcd-client.js";
export { type EtcdStoreOptions, openEtcdStore } from "./etcd-store.js";
