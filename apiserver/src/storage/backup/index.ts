export { type BackupChain, openChain } from "./backup-chain.js";
export type { BackupRecord, DamagedSourceKey } from "./backup-format.js";
export { type BackupFile, isBackupFile, openBackup } from "./backup-reader.js";
export type { BackupSource } from "./backup-source.js";
export { type NewDataDirectory, restoreDataDirectory } from "./restore-data-directory.js";
export { type RestoredRecords, type RestoreTarget, restoreRecords } from "./restore-records.js";
export { type BackupOptions, takeFullBackup, takeIncrement } from "./take-backup.js";
