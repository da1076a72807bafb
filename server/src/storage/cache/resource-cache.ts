import { type KeyValue, RevisionCompactedError, RevisionInFutureError, type Store, type StoreEvent } from "../store.js";
import { StoreDamagedError } from "../store-condition.js";
import { ByteArena, Graveyard } from "./byte-arena.js";
import { CacheEntry } from "./cache-entry.js";
import { CacheEvent } from "./cache-event.js";
import { CacheWatcher } from "./cache-watcher.js";
import { EventRing, type RingLimits } from "./event-ring.js";
import { readPages, type StorePage } from "./read-pages.js";
import { type DamagedKeys, type EntryTree, newEntryTree, noDamage, Snapshot } from "./snapshot.js";
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
  readonly #arena = new ByteArena();
  readonly #graveyard = new Graveyard();
  readonly #reading = new Map<number, Promise<Snapshot>>();
  #tree: EntryTree = newEntryTree();
  /** Keys that are not in the tree because their data cannot be read. */
  #damaged: DamagedKeys = noDamage;
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
      this.#early = [];
      throw error;
    });
    return this.#filling;
  }

  /** Version of the state that reads see now. */
  get revision(): number {
    return Math.max(this.#feed.revision, this.#revision);
  }

  /** The object under a key. Throws StoreDamagedError when there is one that cannot be read. */
  get(key: string): CacheEntry | undefined {
    const entry = this.#tree.get(key);
    if (entry === undefined && this.#damaged.size > 0 && this.#damaged.has(key)) {
      throw this.#damaged.get(key);
    }
    return entry;
  }

  snapshot(): Snapshot {
    return new Snapshot(this.revision, this.#tree.clone(), this.#damaged);
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
    const snapshot = this.#undo(revision) ?? (await this.#readOnce(revision));
    this.#shelf.put(snapshot);
    return snapshot;
  }

  /** Follows the changes after a version; the cache must be ready. `onEvents` tells that there is something to take. */
  watch(options: { readonly afterRevision: number; readonly onEvents: () => void }): CacheWatcher {
    const watcher: CacheWatcher = new CacheWatcher({
      ...options,
      store: this.#store,
      prefix: this.prefix,
      ring: this.#ring,
      seen: () => this.revision,
      onClose: () => this.#watchers.delete(watcher),
    });
    this.#watchers.add(watcher);
    return watcher;
  }

  onEvents(events: readonly StoreEvent[]): void {
    if (!this.#filled) {
      // Until somebody tries to fill it again, nobody needs them.
      if (this.#filling !== undefined) {
        for (const event of events) {
          this.#early.push(event);
        }
      }
      return;
    }
    for (const event of events) {
      this.#apply(event);
    }
    this.#shelf.prune();
  }

  onProgress(): void {
    for (const watcher of this.#watchers) {
      watcher.notify();
    }
  }

  /** Reads the state anew and tells watchers what is different, since the events in between are gone. */
  async onLost(): Promise<void> {
    // What is being read may be older than the events that are lost.
    await this.#filling?.catch(() => {});
    if (!this.#filled) {
      return;
    }
    try {
      await this.#catchUp();
    } catch (error) {
      if (!(error instanceof StoreDamagedError)) {
        throw error;
      }
      // The other resources go on; this one is read again when somebody asks for it.
      this.#giveUp(error);
    }
  }

  async #catchUp(): Promise<void> {
    const { kvs, damaged, revision } = await this.#readDifferent();
    this.#damaged = damaged;
    for (const key of damaged.keys()) {
      this.#tree.delete(key);
    }
    for (const kv of kvs.changed.sort((a, b) => a.modRevision - b.modRevision)) {
      const previous = this.#tree.get(kv.key);
      const type = previous === undefined ? "ADDED" : "MODIFIED";
      this.#record(new CacheEvent(type, kv.modRevision, CacheEntry.fromStore(kv), previous));
    }
    for (const last of kvs.gone) {
      this.#record(new CacheEvent("DELETED", revision, last.at(revision), last));
    }
    // States between the last event and now can no longer be told from the ring.
    this.#ring.startAt(revision);
    this.#revision = Math.max(this.#revision, revision);
    this.onProgress();
  }

  /** What the store has that the tree does not have in the same version, and the other way round. */
  async #readDifferent(): Promise<{
    kvs: { changed: KeyValue[]; gone: CacheEntry[] };
    damaged: DamagedKeys;
    revision: number;
  }> {
    const damaged = new Map<string, StoreDamagedError>();
    const changed: KeyValue[] = [];
    const gone = new Map<string, CacheEntry>(this.#tree.entries());
    let revision = 0;
    for await (const page of readPages(this.#store, this.prefix)) {
      revision = page.revision;
      for (const kv of page.kvs) {
        if (gone.get(kv.key)?.revision !== kv.modRevision) {
          changed.push(kv);
        }
        gone.delete(kv.key);
      }
      for (const error of page.damaged) {
        const key = error.key as string;
        // What memory still has of this very version is whole.
        if (error.revision === undefined || gone.get(key)?.revision !== error.revision) {
          damaged.set(key, error);
        }
        gone.delete(key);
      }
    }
    return { kvs: { changed, gone: [...gone.values()] }, damaged, revision };
  }

  async #fill(): Promise<void> {
    this.#feed.register(this);
    await this.#feed.started();
    const { tree, damaged, revision } = await this.#readTree();
    this.#tree = tree;
    this.#damaged = damaged;
    this.#revision = revision;
    this.#ring = new EventRing(this.#ringLimits, revision);
    this.#filled = true;
    const early = this.#early;
    this.#early = [];
    this.onEvents(early);
    this.onProgress();
  }

  /** As if nobody had asked for this resource yet; those who watch it must begin anew. */
  #giveUp(error: StoreDamagedError): void {
    this.#filled = false;
    this.#filling = undefined;
    this.#tree = newEntryTree();
    this.#damaged = noDamage;
    for (const watcher of [...this.#watchers]) {
      watcher.fail(error);
    }
  }

  async #readTree(): Promise<{ tree: EntryTree; damaged: DamagedKeys; revision: number }> {
    for (;;) {
      try {
        const tree = newEntryTree();
        const damaged = new Map<string, StoreDamagedError>();
        let revision = 0;
        for await (const page of readPages(this.#store, this.prefix)) {
          revision = page.revision;
          for (const kv of page.kvs) {
            const entry = CacheEntry.fromStore(kv);
            this.#arena.admit(entry);
            tree.set(entry.key, entry);
          }
          collectDamage(page, damaged);
        }
        return { tree, damaged, revision };
      } catch (error) {
        if (!(error instanceof RevisionCompactedError)) {
          throw error;
        }
        // Compaction has overtaken the pages: they are read again, from now.
      }
    }
  }

  #apply(event: StoreEvent): void {
    if (event.revision > this.#revision) {
      this.#record(CacheEvent.fromStore(event, this.#tree.get(event.key)));
    }
  }

  #record(event: CacheEvent): void {
    const { entry, previous } = event;
    if (this.#damaged.has(entry.key)) {
      this.#damaged = new Map([...this.#damaged].filter(([key]) => key !== entry.key));
    }
    if (event.type === "DELETED") {
      this.#tree.delete(entry.key);
    } else {
      this.#tree.set(entry.key, entry);
      this.#arena.admit(entry);
    }
    if (previous !== undefined) {
      this.#arena.evict(previous, this.#graveyard);
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
    return new Snapshot(revision, tree, this.#damaged);
  }

  /** Pages of one list that come at the same time share the read. */
  #readOnce(revision: number): Promise<Snapshot> {
    let reading = this.#reading.get(revision);
    if (reading === undefined) {
      reading = this.#readAt(revision).finally(() => this.#reading.delete(revision));
      this.#reading.set(revision, reading);
    }
    return reading;
  }

  async #readAt(revision: number): Promise<Snapshot> {
    const tree = newEntryTree();
    const damaged = new Map<string, StoreDamagedError>();
    for await (const page of readPages(this.#store, this.prefix, revision)) {
      for (const kv of page.kvs) {
        const cached = this.#tree.get(kv.key);
        tree.set(kv.key, cached?.revision === kv.modRevision ? cached : CacheEntry.fromStore(kv));
      }
      collectDamage(page, damaged);
    }
    return new Snapshot(revision, tree, damaged);
  }
}

function collectDamage(page: StorePage, damaged: Map<string, StoreDamagedError>): void {
  for (const error of page.damaged) {
    damaged.set(error.key as string, error);
  }
}
