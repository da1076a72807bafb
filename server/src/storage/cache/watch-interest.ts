import type { CacheEntry } from "./cache-entry.js";

/** What all entries must have that a watcher wants: one value of something that can be told of every entry. */
export interface WatchInterest {
  /** The same text for the same `textOf`: watchers that share it are found in one step. */
  readonly index: string;
  readonly value: string;
  textOf(entry: CacheEntry): string;
}
