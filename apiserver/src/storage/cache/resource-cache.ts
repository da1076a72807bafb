import {
  NoLongerServedError,
  RevisionCompactedError,
  RevisionInFutureError,
  StoreDamagedError,
} from "../../errors/errors.js";
import type { KeyValue, Store, StoreEvent } from "../store.js";
import { type ArenaUse, ByteArena, Graveyard } from "./byte-arena.js";
import { CacheEntry } from "./cache-entry.js";
import { CacheEvent } from "./cache-event.js";
import { CacheWatcher } from "./cache-watcher.js";
import { EventRing, type RingLimits } from "./event-ring.js";
import { readPages, type StorePage } from "./read-pages.js";
import { type DamagedKeys, type EntryTree, newEntryTree, noDamage, Snapshot } from "./snapshot.js";
import { SnapshotShelf } from "./snapshot-shelf.js";
import type { CacheMetrics } from "./storage-metrics.js";
import type { FeedListener, StoreFeed } from "./store-feed.js";
import type { WatchInterest } from "./watch-interest.js";
import { WatcherIndex } from "./watcher-index.js";

/** The parts and limits of a cache. */
export interface ResourceCacheOptions {
  readonly store: Store;
  readonly feed: StoreFeed;
  /** Key prefix of the resource, `/registry/pods/`. */
  readonly prefix: string;
  /** Limits of the events kept in memory; 8,192 events and 16 MiB by default. */
  readonly ringLimits?: RingLimits;
  /** Bytes that objects may take which only kept snapshots still need; 64 MiB by default. */
  readonly maxKeptBytes?: number;
  /** Counts what the cache does; nobody counts when absent. */
  readonly metrics?: CacheMetrics | undefined;
  /** Milliseconds since the epoch; `Date.now` by default. */
  readonly now?: () => number;
}

/**
 * The default limit in bytes of the memory that kept snapshots hold beside the cache. Other versions are read from the
 * store, so this bounds memory, not history.
 */
const defaultMaxKeptBytes = 64 * 1024 * 1024;
const defaultRingLimits: RingLimits = { maxEvents: 8192, maxBytes: 16 * 1024 * 1024 };

/** The start of a watch, and the changes that it wants. */
export interface CacheWatchOptions {
  readonly afterRevision: number;
  readonly onEvents: () => void;
  readonly interest?: WatchInterest | undefined;
  /**
   * Set for a watcher that, where there are many, is notified after the writers have their answers: a thousand watchers
   * take longer than a write.
   */
  readonly isPatient?: boolean;
}

/** A state that is no longer the newest, and the bytes of the objects in it that the cache no longer has. */
interface OldState {
  readonly snapshot: Snapshot;
  readonly ownBytes: number;
}

/**
 * The objects of a resource in memory, and its recent events: every list and watch is served from here. Filled with the
 * first use, kept up to date by the feed.
 */
export class ResourceCache implements FeedListener, Disposable {
  readonly prefix: string;
  readonly metrics: CacheMetrics | undefined;
  readonly #store: Store;
  readonly #feed: StoreFeed;
  readonly #ringLimits: RingLimits;
  readonly #shelf: SnapshotShelf;
  readonly #watchers = new WatcherIndex();
  /** Bytes of entries that only events need. */
  readonly #graveyard = new Graveyard();
  /** Bytes of entries that a kept snapshot needs, too: it stays for minutes. */
  readonly #keptGraveyard = new Graveyard();
  readonly #reading = new Map<number, Promise<OldState>>();
  #tree: EntryTree = newEntryTree();
  /** Keys that are not in the tree because their data cannot be read. */
  #damaged: DamagedKeys = noDamage;
  #arena = new ByteArena();
  #ring: EventRing;
  /** Revision of the newest change in the tree, or that of the read it was filled by. */
  #revision = 0;
  /** The revision up to which all changes are known; those of one revision may come in several calls. */
  #completeTo = 0;
  #changes = 0;
  #filling: Promise<void> | undefined;
  #filled = false;
  #disposed = false;
  #wasFilled = false;
  /** Events that arrived while the tree was being filled. */
  #early: StoreEvent[] = [];

  constructor(options: ResourceCacheOptions) {
    this.prefix = options.prefix;
    this.metrics = options.metrics;
    this.#store = options.store;
    this.#feed = options.feed;
    this.#ringLimits = options.ringLimits ?? defaultRingLimits;
    this.#ring = new EventRing(this.#ringLimits, 0);
    this.#shelf = new SnapshotShelf({
      now: options.now ?? Date.now,
      maxBytes: options.maxKeptBytes ?? defaultMaxKeptBytes,
    });
  }

  /** True if reads can be served at once. */
  get isReady(): boolean {
    return this.#filled;
  }

  get wantsEvents(): boolean {
    return this.#filling !== undefined;
  }

  /** True if reads could be served once and cannot now, since the store gave damaged data. */
  get isLost(): boolean {
    return this.#wasFilled && !this.#filled && !this.#disposed;
  }

  /** Reads anew what could not be read: the key to it may have become known. Rejects when the store cannot be read. */
  async readDamagedAnew(): Promise<void> {
    if (this.#damaged.size > 0 && this.#filled) {
      await this.onLost();
    }
  }

  /** Resolves when reads can be served. */
  ready(): Promise<void> {
    if (this.#disposed) {
      return Promise.reject(new NoLongerServedError());
    }
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

  /** The number of changes of what reads see. While it stays, so do the objects; other resources do not count. */
  get changes(): number {
    return this.#changes;
  }

  /** True if no object can be read. */
  get isEmpty(): boolean {
    return this.#tree.isEmpty;
  }

  /** Returns the memory that the cache takes for its objects; snapshots and events are not counted. */
  memoryUse(): ArenaUse {
    return this.#arena.use();
  }

  /** Returns the object under a key. Throws StoreDamagedError when there is one that cannot be read. */
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
   * Returns the state at an older version: from a kept snapshot, by undoing recent events, or from the store. Throws
   * RevisionCompactedError and RevisionInFutureError.
   */
  async snapshotAt(revision: number): Promise<Snapshot> {
    this.#checkServed();
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
    const { snapshot, ownBytes } = this.#undo(revision) ?? (await this.#readOnce(revision));
    this.#shelf.put(snapshot, ownBytes);
    return snapshot;
  }

  /**
   * Follows the changes after a version; the cache must be ready. `onEvents` is called when there are events to take.
   * With an interest, it is called only for changes that may concern it, and some of the others are left out.
   */
  watch(options: CacheWatchOptions): CacheWatcher {
    this.#checkServed();
    const watcher: CacheWatcher = new CacheWatcher({
      ...options,
      store: this.#store,
      prefix: this.prefix,
      ring: this.#ring,
      seen: () => this.revision,
      onClose: () => this.#watchers.remove(watcher),
      onTooSlow: () => this.metrics?.watcherTerminated(),
    });
    const backlog = this.#ring.countAfter(options.afterRevision);
    if (backlog > 0) {
      this.metrics?.initialEvents(backlog);
    }
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
    this.metrics?.received(events.length);
    for (const event of events) {
      this.#apply(event);
    }
    this.metrics?.capacity(this.#ring.capacity);
    this.#shelf.prune();
  }

  onProgress(): void {
    this.#completeTo = this.#revision;
    this.#watchers.notify();
  }

  /**
   * Takes the resource out of service: its watches and all later reads end with 410, and its memory is given back. The
   * store keeps its content.
   */
  [Symbol.dispose](): void {
    if (this.#disposed) {
      return;
    }
    this.#disposed = true;
    this.#filled = false;
    this.#feed.unregister(this);
    this.#forget();
    for (const watcher of this.#watchers.all()) {
      this.#watchers.remove(watcher);
      watcher.fail(new NoLongerServedError());
    }
  }

  /** Forgets the recent events: watches under way end with 410, as do those from versions that the store has forgotten. */
  forgetHistory(): void {
    this.#ring = new EventRing(this.#ringLimits, this.revision);
    this.#shelf.clear();
    for (const watcher of [...this.#watchers.all()]) {
      this.#watchers.remove(watcher);
      watcher.fail(new RevisionCompactedError(this.revision));
    }
  }

  /** Reads the state anew and sends watchers the differences, since the events in between are gone. */
  async onLost(): Promise<void> {
    // A read under way may be older than the lost events.
    await this.#filling?.catch(() => {});
    if (!this.#filled) {
      return;
    }
    try {
      await this.#readAnew();
    } catch (error) {
      if (!(error instanceof StoreDamagedError)) {
        throw error;
      }
      // The other resources go on; this one is read again when somebody asks for it.
      this.#giveUp(error);
    }
  }

  async #readAnew(): Promise<void> {
    const { kvs, damaged, revision } = await this.#readDifferent();
    if (this.#disposed) {
      return;
    }
    this.#damaged = damaged;
    this.#changes++;
    for (const key of damaged.keys()) {
      this.#tree.delete(key);
    }
    for (const kv of kvs.changed.sort((a, b) => a.modRevision - b.modRevision)) {
      const previous = this.#tree.get(kv.key);
      const type = previous === undefined ? "ADDED" : "MODIFIED";
      this.#record(new CacheEvent(type, kv.modRevision, CacheEntry.fromStore(kv, this.#arena), previous));
    }
    for (const last of kvs.gone) {
      this.#record(new CacheEvent("DELETED", revision, last.at(revision), last));
    }
    // States between the last event and now can no longer be told from the ring.
    this.#ring.startAt(revision);
    this.#revision = Math.max(this.#revision, revision);
    this.onProgress();
  }

  /** Reads the entries that differ between the store and the tree, in both directions. */
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
        // An entry of this very version in memory is whole.
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
    const { tree, arena, damaged, revision } = await this.#readTree();
    this.#checkServed();
    this.#tree = tree;
    this.#changes++;
    this.#arena = arena;
    this.#damaged = damaged;
    this.#revision = revision;
    this.#completeTo = revision;
    this.#ring = new EventRing(this.#ringLimits, revision);
    this.#filled = true;
    this.#wasFilled = true;
    this.metrics?.initialized();
    this.metrics?.capacity(this.#ring.capacity);
    const early = this.#early;
    this.#early = [];
    this.onEvents(early);
    this.onProgress();
  }

  /** Returns to the state before the first read of this resource; its watches end and must begin anew. */
  #giveUp(error: StoreDamagedError): void {
    this.#filled = false;
    this.#filling = undefined;
    this.#changes++;
    this.#tree = newEntryTree();
    this.#damaged = noDamage;
    for (const watcher of [...this.#watchers.all()]) {
      this.#watchers.remove(watcher);
      watcher.fail(error);
    }
  }

  async #readTree(): Promise<{ tree: EntryTree; arena: ByteArena; damaged: DamagedKeys; revision: number }> {
    for (;;) {
      try {
        const tree = newEntryTree();
        const arena = new ByteArena();
        const damaged = new Map<string, StoreDamagedError>();
        let revision = 0;
        for await (const page of readPages(this.#store, this.prefix, { reusesMemory: true })) {
          revision = page.revision;
          for (const kv of page.kvs) {
            const entry = CacheEntry.fromStore(kv, arena);
            tree.set(entry.key, entry);
          }
          collectDamage(page, damaged);
        }
        this.metrics?.storeList(tree.size + damaged.size);
        return { tree, arena, damaged, revision };
      } catch (error) {
        if (!(error instanceof RevisionCompactedError)) {
          throw error;
        }
        // Compaction has overtaken the pages: they are read again, from now.
      }
    }
  }

  #checkServed(): void {
    if (this.#disposed) {
      throw new NoLongerServedError();
    }
  }

  #forget(): void {
    this.#changes++;
    this.#tree = newEntryTree();
    this.#arena = new ByteArena();
    this.#ring = new EventRing(this.#ringLimits, this.revision);
    this.#shelf.clear();
    this.#early = [];
  }

  #apply(event: StoreEvent): void {
    if (event.revision > this.#completeTo) {
      this.#record(CacheEvent.fromStore(event, this.#tree.get(event.key), this.#arena));
    }
  }

  #record(event: CacheEvent): void {
    const { entry, previous } = event;
    this.#changes++;
    if (this.#damaged.has(entry.key)) {
      this.#damaged = new Map([...this.#damaged].filter(([key]) => key !== entry.key));
    }
    if (event.type === "DELETED") {
      this.#tree.delete(entry.key);
    } else {
      this.#tree.set(entry.key, entry);
    }
    if (previous !== undefined) {
      const isKept = this.#shelf.replaced(previous);
      this.#arena.evict(previous, isKept ? this.#keptGraveyard : this.#graveyard);
    }
    this.#watchers.record(event, this.#ring.end);
    this.metrics?.dispatched();
    this.#ring.push(event);
    this.#revision = Math.max(this.#revision, event.revision);
  }

  #undo(revision: number): OldState | undefined {
    const events = this.#ring.newestFirst(revision);
    if (events === undefined) {
      return undefined;
    }
    const tree = this.#tree.clone();
    let ownBytes = 0;
    for (const event of events) {
      if (event.previous === undefined) {
        tree.delete(event.entry.key);
      } else {
        tree.set(event.previous.key, event.previous);
        ownBytes += event.previous.length;
      }
    }
    return { snapshot: new Snapshot(revision, tree, this.#damaged), ownBytes };
  }

  /** Pages of one list that come at the same time share the read. */
  #readOnce(revision: number): Promise<OldState> {
    let reading = this.#reading.get(revision);
    if (reading === undefined) {
      reading = this.#readAt(revision).finally(() => this.#reading.delete(revision));
      this.#reading.set(revision, reading);
    }
    return reading;
  }

  async #readAt(revision: number): Promise<OldState> {
    const tree = newEntryTree();
    const arena = new ByteArena();
    const damaged = new Map<string, StoreDamagedError>();
    let ownBytes = 0;
    for await (const page of readPages(this.#store, this.prefix, { revision, reusesMemory: true })) {
      for (const kv of page.kvs) {
        const cached = this.#tree.get(kv.key);
        if (cached?.revision === kv.modRevision) {
          tree.set(kv.key, cached);
        } else {
          const entry = CacheEntry.fromStore(kv, arena);
          tree.set(kv.key, entry);
          ownBytes += entry.length;
        }
      }
      collectDamage(page, damaged);
    }
    this.metrics?.storeList(tree.size + damaged.size);
    return { snapshot: new Snapshot(revision, tree, damaged), ownBytes };
  }
}

function collectDamage(page: StorePage, damaged: Map<string, StoreDamagedError>): void {
  for (const error of page.damaged) {
    damaged.set(error.key as string, error);
  }
}
