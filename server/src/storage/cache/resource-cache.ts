import SortedTree from "sorted-btree";
import { RevisionInFutureError, type Store, type StoreEvent } from "../store.js";
import { CacheEntry } from "./cache-entry.js";
import { CacheEvent } from "./cache-event.js";
import { CacheWatcher } from "./cache-watcher.js";
import { EventRing, type RingLimits } from "./event-ring.js";
import { type EntryTree, Snapshot } from "./snapshot.js";
import { SnapshotShelf } from "./snapshot-shelf.js";
import type { FeedListener, StoreFeed } from "./store-feed.js";

export interface ResourceCacheOptions {
  readonly store: Store;
  readonly feed: StoreFeed;
  /** Key prefix of the resource, `/registry/pods/`. */
  readonly prefix: string;
  readonly ringLimits?: RingLimits;
  readonly now?: () => number;
}

/** Older events are read from the store's log, so this bounds memory, not history. */
const defaultRingLimits: RingLimits = { maxEvents: 8192, maxBytes: 16 * 1024 * 1024 };

/** `sorted-btree` is a CommonJS module whose class is its default export. */
const Tree = SortedTree as unknown as { default: new () => EntryTree };

/**
 * All objects of a resource in memory, and its recent events: every list and watch is served from here. Filled with the
 * first use, kept up to date by the feed.
 */
export class ResourceCache implements FeedListener {
  readonly prefix: string;
  readonly #store: Store;
  readonly #feed: StoreFeed;
  readonly #ringLimits: RingLimits;
  readonly #shelf: SnapshotShelf;
  readonly #watchers = new Set<CacheWatcher>();
  #tree: EntryTree = new Tree.default();
  #ring: EventRing;
  /** Revision of the newest change in the tree, or that of the read it was filled by. */
  #revision = 0;
  #filling: Promise<void> | undefined;
  #filled = false;
  /** Events that arrived while the tree was being filled. */
  #early: StoreEvent[] = [];

  constructor(options: ResourceCacheOptions) {
    this.prefix = options.prefix;
    this.#store = options.store;
    this.#feed = options.feed;
    this.#ringLimits = options.ringLimits ?? defaultRingLimits;
    this.#ring = new EventRing(this.#ringLimits, 0);
    this.#shelf = new SnapshotShelf(options.now ?? Date.now);
  }

  /** Whether reads can be served at once. */
  get isReady(): boolean {
    return this.#filled;
  }

  /** Resolves when reads can be served. */
  ready(): Promise<void> {
    this.#filling ??= this.#fill().catch((error: unknown) => {
      this.#filling = undefined;
      throw error;
    });
    return this.#filling;
  }

  /** Version of the state that reads see now. */
  get revision(): number {
    return Math.max(this.#feed.revision, this.#revision);
  }

  get(key: string): CacheEntry | undefined {
    return this.#tree.get(key);
  }

  snapshot(): Snapshot {
    return new Snapshot(this.revision, this.#tree.clone());
  }

  /** Keeps a snapshot for the pages that follow. */
  keep(snapshot: Snapshot): void {
    this.#shelf.put(snapshot);
  }

  /**
   * The state at an older version: from a kept snapshot, by undoing recent events, or from the store. Throws
   * RevisionCompactedError and RevisionInFutureError.
   */
  async snapshotAt(revision: number): Promise<Snapshot> {
    if (revision > this.revision) {
      throw new RevisionInFutureError(this.revision);
    }
    // What memory still holds expires with the store's history all the same: clients count on it, and every process of
    // one store must say the same.
    await this.#store.get(this.prefix, { revision });
    const kept = this.#shelf.get(revision);
    if (kept !== undefined) {
      return kept;
    }
    const snapshot = this.#undo(revision) ?? (await this.#readAt(revision));
    this.#shelf.put(snapshot);
    return snapshot;
  }

  /** Follows the changes after a version. `onEvents` tells that there is something to take. */
  watch(options: { readonly afterRevision: number; readonly onEvents: () => void }): CacheWatcher {
    const watcher: CacheWatcher = new CacheWatcher({
      ...options,
      store: this.#store,
      prefix: this.prefix,
      ring: () => this.#ring,
      seen: () => this.revision,
      onClose: () => this.#watchers.delete(watcher),
    });
    this.#watchers.add(watcher);
    return watcher;
  }

  onEvents(events: readonly StoreEvent[]): void {
    if (!this.#filled) {
      this.#early.push(...events);
      return;
    }
    for (const event of events) {
      this.#apply(event);
    }
  }

  onProgress(): void {
    for (const watcher of this.#watchers) {
      watcher.notify();
    }
  }

  /** Reads the state anew and tells watchers what is different, since the events in between are gone. */
  async onLost(): Promise<void> {
    if (!this.#filled) {
      return;
    }
    const { kvs, revision } = await this.#store.range({ prefix: this.prefix });
    const gone = new Set(this.#tree.keys());
    for (const kv of kvs.toSorted((a, b) => a.modRevision - b.modRevision)) {
      gone.delete(kv.key);
      const previous = this.#tree.get(kv.key);
      if (previous?.revision !== kv.modRevision) {
        const entry = CacheEntry.fromStore(kv);
        const type = previous === undefined ? "ADDED" : "MODIFIED";
        this.#record(new CacheEvent(type, kv.modRevision, entry, previous));
      }
    }
    for (const key of gone) {
      const last = this.#tree.get(key) as CacheEntry;
      this.#record(new CacheEvent("DELETED", revision, last.at(revision), last));
    }
    this.#revision = Math.max(this.#revision, revision);
    this.onProgress();
  }

  async #fill(): Promise<void> {
    this.#feed.register(this);
    await this.#feed.started();
    const { kvs, revision } = await this.#store.range({ prefix: this.prefix });
    for (const kv of kvs) {
      this.#tree.set(kv.key, CacheEntry.fromStore(kv));
    }
    this.#revision = revision;
    this.#ring = new EventRing(this.#ringLimits, revision);
    this.#filled = true;
    const early = this.#early;
    this.#early = [];
    this.onEvents(early);
    this.onProgress();
  }

  #apply(event: StoreEvent): void {
    if (event.revision <= this.#revision) {
      return;
    }
    this.#record(CacheEvent.fromStore(event, this.#tree.get(event.key)));
  }

  #record(event: CacheEvent): void {
    if (event.type === "DELETED") {
      this.#tree.delete(event.entry.key);
    } else {
      this.#tree.set(event.entry.key, event.entry);
    }
    this.#ring.push(event);
    this.#revision = Math.max(this.#revision, event.revision);
  }

  #undo(revision: number): Snapshot | undefined {
    const events = this.#ring.newestFirst(revision);
    if (events === undefined) {
      return undefined;
    }
    const tree = this.#tree.clone();
    for (const event of events) {
      if (event.previous === undefined) {
        tree.delete(event.entry.key);
      } else {
        tree.set(event.previous.key, event.previous);
      }
    }
    return new Snapshot(revision, tree);
  }

  async #readAt(revision: number): Promise<Snapshot> {
    const { kvs } = await this.#store.range({ prefix: this.prefix, revision });
    const tree = new Tree.default();
    for (const kv of kvs) {
      const cached = this.#tree.get(kv.key);
      tree.set(kv.key, cached?.revision === kv.modRevision ? cached : CacheEntry.fromStore(kv));
    }
    return new Snapshot(revision, tree);
  }
}
