import type { CacheEntry } from "./cache-entry.js";
import type { Snapshot } from "./snapshot.js";

/** Lifetime of a snapshot in milliseconds, that of a continue token. */
const lifetimeMs = 5 * 60 * 1000;
/** Largest number of snapshots; more lists under way at once are served by undoing events, or from the store. */
const maxSnapshots = 64;

/** Limits of a shelf. */
export interface SnapshotShelfOptions {
  /** Milliseconds on any clock. */
  readonly now: () => number;
  /** Bytes that all snapshots together may keep in memory beside the cache's own. The newest one may always stay. */
  readonly maxBytes: number;
}

interface Kept {
  readonly snapshot: Snapshot;
  readonly expiresAt: number;
  /** Bytes of objects that only this snapshot had when it came. */
  readonly ownBytes: number;
  /** The shelf's count of replaced bytes when the snapshot came: bytes replaced since may be kept for it. */
  readonly replacedBefore: number;
}

/**
 * Snapshots that the next page of some list will ask for. The least recently used goes first; so do old ones when objects
 * change so much that to keep them takes too much memory.
 */
export class SnapshotShelf {
  readonly #options: SnapshotShelfOptions;
  readonly #snapshots = new Map<number, Kept>();
  /** Bytes of objects that a snapshot here had when the cache replaced them. Only differences mean something. */
  #replacedBytes = 0;
  #newestRevision = 0;

  constructor(options: SnapshotShelfOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#snapshots.size;
  }

  /** Upper bound of the bytes that would be free without the snapshots here. */
  get keptBytes(): number {
    let bytes = 0;
    let oldest = this.#replacedBytes;
    for (const { ownBytes, replacedBefore } of this.#snapshots.values()) {
      bytes += ownBytes;
      oldest = Math.min(oldest, replacedBefore);
    }
    return bytes + this.#replacedBytes - oldest;
  }

  get(revision: number): Snapshot | undefined {
    const kept = this.#snapshots.get(revision);
    if (kept !== undefined) {
      this.#insert(kept);
    }
    return kept?.snapshot;
  }

  /** Keeps a snapshot. `ownBytes` are those of its objects that the cache does not have. */
  put(snapshot: Snapshot, ownBytes = 0): void {
    const known = this.#snapshots.get(snapshot.revision);
    this.#insert(known ?? { snapshot, expiresAt: 0, ownBytes, replacedBefore: this.#replacedBytes });
    this.#newestRevision = Math.max(this.#newestRevision, snapshot.revision);
    this.prune();
    this.#boundBytes();
  }

  /** Notes that the cache has replaced an entry. True when a snapshot here has it, so that it lives on. */
  replaced(entry: CacheEntry): boolean {
    // Until now the entry was the newest of its object, so every snapshot that is not older than it has it.
    if (entry.revision > this.#newestRevision) {
      return false;
    }
    this.#replacedBytes += entry.length;
    this.#boundBytes();
    return true;
  }

  /** Drops snapshots that have not been used for long. To be called now and then. */
  prune(): void {
    const { now } = this.#options;
    for (const [revision, { expiresAt }] of this.#snapshots) {
      if (this.#snapshots.size <= maxSnapshots && expiresAt > now()) {
        return;
      }
      this.#drop(revision);
    }
  }

  clear(): void {
    this.#snapshots.clear();
    this.#newestRevision = 0;
  }

  #insert(kept: Kept): void {
    const { revision } = kept.snapshot;
    this.#snapshots.delete(revision);
    this.#snapshots.set(revision, { ...kept, expiresAt: this.#options.now() + lifetimeMs });
  }

  /**
   * Drops the oldest snapshots, which hold the most, to keep within the limit; a list that loses its snapshot reads it
   * anew from the store.
   */
  #boundBytes(): void {
    while (this.#snapshots.size > 1 && this.keptBytes > this.#options.maxBytes) {
      const oldest = [...this.#snapshots.values()].reduce((a, b) => (b.replacedBefore < a.replacedBefore ? b : a));
      this.#drop(oldest.snapshot.revision);
    }
  }

  #drop(revision: number): void {
    this.#snapshots.delete(revision);
    if (revision === this.#newestRevision) {
      this.#newestRevision = Math.max(0, ...this.#snapshots.keys());
    }
  }
}
