import type { CacheEntry } from "./cache-entry.js";

/** A condition on the entries that a watcher wants: one value of a text that can be read from every entry. */
export interface WatchInterest {
  /** Name of `textOf`, the same for the same function: watchers that share it are found in one step. */
  readonly index: string;
  readonly value: string;
  /**
   * Returns the text of an entry. Called once for every change, for the entry before and after it. Where it throws, all
   * watchers are notified.
   */
  textOf(entry: CacheEntry): string;
}
