export { type BackupChain, openChain } from "./backup-chain.js";
export type { BackupRecord, DamagedSourceKey } from "./backup-format.js";
export { type BackupFile, isBackupFile, openBackup } from "./backup-reader.js";
export type { BackupSource } from "./backup-source.js";
export { compareStores, type StoreComparison, type StoreState } from "./compare-stores.js";
export { type EtcdSnapshot, type EtcdSnapshotOptions, openEtcdSnapshot } from "./etcd-snapshot/index.js";
export { type NewDataDirectory, restoreDataDirectory } from "./restore-data-directory.js";
export {
  checkPrefix,
  hasUnfinishedRestore,
  type RestorePrefix,
  reachRevision,
  restorePrefix,
} from "./restore-prefix.js";
export { type RestoredRecords, type RestoreTarget, restoreRecords } from "./restore-records.js";
export { checkUnchanged, countStore, recordsOfStore, type StoreCount } from "./store-records.js";
export { type BackupOptions, takeFullBackup, takeIncrement } from "./take-backup.js";
