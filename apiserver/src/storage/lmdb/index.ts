export { checkData, type DataReport } from "./check-data.js";
export { unfinishedRestoreName } from "./data-directory.js";
export { dataFileName } from "./data-file.js";
export { type EmbeddedStore, type LmdbStoreOptions, openLmdbStore } from "./lmdb-store.js";
