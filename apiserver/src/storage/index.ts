export { CacheEntry } from "./cache/cache-entry.js";
export { newEntryTree, noDamage, Snapshot } from "./cache/snapshot.js";
export { StoreFeed } from "./cache/store-feed.js";
export type {
  GetResult,
  KeyValue,
  PutOptions,
  RangeOptions,
  RangeResult,
  Store,
  StoreEvent,
  WatchBatch,
  WatchOptions,
  WriteResult,
} from "./store.js";
export { type StoreCondition, type StoreObserver, silentObserver } from "./store-condition.js";
export { statusOfStoreError } from "./store-status.js";
