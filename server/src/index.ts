export { defaultAdmissionPlugins } from "./config/admission-plugins.js";
export { resolveServerConfig, type ServerConfig } from "./config.js";
export { type ServerFlagValues, serverFlags } from "./flags.js";
export { type StartedServer, startServer } from "./server.js";
export { type LmdbStoreOptions, openLmdbStore } from "./storage/lmdb/lmdb-store.js";
export {
  type GetResult,
  type KeyValue,
  type PutOptions,
  type RangeOptions,
  type RangeResult,
  RevisionCompactedError,
  RevisionInFutureError,
  type Store,
  type StoreEvent,
  StoreUnusableError,
  type WatchBatch,
  type WatchOptions,
  type WriteResult,
} from "./storage/store.js";
export {
  type StoreCondition,
  StoreDamagedError,
  type StoreObserver,
  StoreUnavailableError,
  StoreUnwritableError,
  silentObserver,
} from "./storage/store-condition.js";
export { version } from "./version.js";
