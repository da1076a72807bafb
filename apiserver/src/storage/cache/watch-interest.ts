import type { CacheEntry } from "./cache-entry.js";

/** What all entries must have that a watcher wants: one value of something that can be told of every entry. */
export interface WatchInterest {
  /** The same text for the same `textOf`: watchers that share it are found in one step. */
  readonly index: string;
  readonly value: string;
  /** Asked once for every change, of the entry before and after it. Where it throws, all watchers are told. */
  textOf(entry: CacheEntry): string;
}
