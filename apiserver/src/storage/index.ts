export { CacheEntry } from "./cache/cache-entry.js";
export { newEntryTree, noDamage, Snapshot } from "./cache/snapshot.js";
export { StoreFeed } from "./cache/store-feed.js";
export { startCompactor } from "./compactor.js";
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
} from "./store.js";
export {
  type StoreCondition,
  StoreDamagedError,
  type StoreObserver,
  StoreUnavailableError,
  StoreUnwritableError,
  silentObserver,
} from "./store-condition.js";
export { statusOfStoreError } from "./store-status.js";
