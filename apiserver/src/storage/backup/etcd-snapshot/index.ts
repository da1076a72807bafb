export { type EtcdSnapshot, type EtcdSnapshotOptions, openEtcdSnapshot } from "./etcd-snapshot.js";
