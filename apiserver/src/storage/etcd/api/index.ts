export * from "./auth.js";
export * from "./cluster.js";
export { type EtcdApi, loadEtcdApi } from "./etcd-api.js";
export * from "./kv.js";
export * from "./lease.js";
export * from "./maintenance.js";
export * from "./watch.js";
