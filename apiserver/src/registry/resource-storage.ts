import { encodeStoredJson } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { yieldToEventLoop } from "@gatehouse/envelopes/scheduling";
import { timeout } from "@gatehouse/envelopes/status";
import { NoLongerServedError, StoreValueTooLargeError } from "../errors/errors.js";
import { isTooLarge, mayBeTooLarge, requestTooLarge } from "../forms/storable-size.js";
import { metaOf } from "../objects/object-meta.js";
import { CacheEntry } from "../storage/cache/cache-entry.js";
import { readPages } from "../storage/cache/read-pages.js";
import type { ResourceCache } from "../storage/cache/resource-cache.js";
import type { StoreFeed } from "../storage/cache/store-feed.js";
import { type KeyValue, maxKeyBytes, type PutOptions, type Store, type WriteResult } from "../storage/store.js";

/** The store, feed and cache behind one storage. */
export interface ResourceStorageOptions {
  readonly store: Store;
  readonly feed: StoreFeed;
  readonly cache: ResourceCache;
  /** Key prefix of the resource, `/registry/pods/`. */
  readonly prefix: string;
  readonly namespaced: boolean;
  /** True if reads of any version are answered without asking the store. */
  readonly hasWatchCache: boolean;
}

/** The result of a decision about an object: write, delete, or leave it. */
export type Change =
  | { readonly type: "write"; readonly object: JsonObject }
  | { readonly type: "delete" }
  | { readonly type: "none" };

/** The manner in which an object is written. */
export interface WriteObjectOptions {
  /** Seconds after which the object goes; absent: never. */
  readonly ttlSeconds?: number | undefined;
  /** True if an object that is too large with the owners of its fields is stored without them, as v1.29 does. */
  readonly mayForgetOwners?: boolean;
}

/** The storage of one kind of object: its keys, its writes (compare-and-set), and the cache that serves its reads. */
export class ResourceStorage implements Disposable {
  readonly cache: ResourceCache;
  readonly prefix: string;
  readonly namespaced: boolean;
  /** True if reads of any version are answered without asking the store; `cache` has the answer in either case. */
  readonly hasWatchCache: boolean;
  readonly #store: Store;
  readonly #feed: StoreFeed;
  #disposed = false;

  constructor(options: ResourceStorageOptions) {
    this.#store = options.store;
    this.#feed = options.feed;
    this.cache = options.cache;
    this.prefix = options.prefix;
    this.namespaced = options.namespaced;
    this.hasWatchCache = options.hasWatchCache;
  }

  /** Takes the resource out of service, see ResourceCache. What is stored stays stored, and nothing is written any more. */
  [Symbol.dispose](): void {
    this.#disposed = true;
    this.cache[Symbol.dispose]();
  }

  keyOf(namespace: string, name: string): string {
    return this.namespaced ? `${this.prefix}${namespace}/${name}` : this.prefix + name;
  }

  /** Returns the key prefix of a namespace, or of all namespaces when it is empty. */
  prefixOf(namespace: string): string {
    return this.namespaced && namespace !== "" ? `${this.prefix}${namespace}/` : this.prefix;
  }

  /** The newest revision that the cache has seen. */
  get cachedRevision(): number {
    return this.#feed.revision;
  }

  /** Returns the newest revision committed by any process. */
  currentRevision(): number | Promise<number> {
    return this.#store.currentRevision();
  }

  /** Waits until the cache has seen `revision`. False when it did not come in time. */
  waitFor(revision: number, signal: AbortSignal, timeoutMs: number): Promise<boolean> {
    return this.#feed.waitFor(revision, signal, timeoutMs);
  }

  /**
   * Brings the cache up to what is committed now (a consistent read). Throws 504 rather than letting a stale state pass
   * for the newest one. Undefined when there is nothing to wait for, which is the rule: then a read is answered without
   * a promise, a timer or a signal.
   */
  catchUp(context: { readonly signal: AbortSignal }): Promise<void> | undefined {
    if (!this.cache.isReady) {
      return this.cache.ready().then(() => this.catchUp(context));
    }
    const asked = this.#store.currentRevision();
    return typeof asked === "number"
      ? this.#untilSeen(asked, context)
      : asked.then((revision) => this.#untilSeen(revision, context));
  }

  #untilSeen(revision: number, context: { readonly signal: AbortSignal }): Promise<void> | undefined {
    return revision <= this.#feed.revision ? undefined : this.#waitUntilSeen(revision, context.signal);
  }

  async #waitUntilSeen(revision: number, signal: AbortSignal): Promise<void> {
    if (!(await this.#feed.waitFor(revision, signal, catchUpTimeoutMs))) {
      signal.throwIfAborted();
      throw timeout("the newest state could not be read in time", 1);
    }
  }

  /** Returns the object as the store has it now, for writers; from memory when that is up to date. */
  async read(key: string): Promise<CacheEntry | undefined> {
    this.#checkServed();
    if (!isStorableKey(key)) {
      return undefined;
    }
    // A store that has to ask for the revision asks once for all who want to know at the moment.
    if (this.cache.isReady && (await this.#store.currentRevision()) <= this.#feed.revision) {
      return this.cache.get(key);
    }
    const { kv } = await this.#store.get(key);
    return kv === undefined ? undefined : entryOf(kv);
  }

  /**
   * Yields the objects of a namespace as the store has them now, without damaged ones: for callers that cannot wait for
   * the cache.
   */
  async *readNamespace(namespace: string): AsyncGenerator<CacheEntry> {
    this.#checkServed();
    for await (const { kvs } of readPages(this.#store, this.prefixOf(namespace))) {
      yield* kvs.map(entryOf);
    }
  }

  /** Stores a new object. Undefined when the key is taken. */
  async create(key: string, object: JsonObject, options: WriteObjectOptions = {}): Promise<CacheEntry | undefined> {
    this.#checkServed();
    const encoded = this.#encodeStorable(key, object, options);
    const value = encoded instanceof Promise ? await encoded : encoded;
    const result = await this.#put(key, object, value, 0, options);
    return result.succeeded ? this.#written(key, result.value, result.revision) : undefined;
  }

  /**
   * Changes an object by compare-and-set: `decide` is called with the current state, again after every lost race. It
   * gets `undefined` when there is no object. A write that changes nothing is not written. Returns the state after the
   * change; after a deletion the last one, with the revision of the deletion. A caller that has just read the object
   * passes it, so that it is not read again.
   */
  async change(
    key: string,
    decide: (current: CacheEntry | undefined) => Change | Promise<Change>,
    options: WriteObjectOptions & { readonly read?: CacheEntry | undefined } = {},
  ): Promise<ChangeResult> {
    let current = options.read ?? (await this.read(key));
    for (;;) {
      const change = await decide(current);
      this.#checkServed();
      if (change.type === "none") {
        return { entry: current, outcome: "unchanged" };
      }
      const expectedRevision = current?.revision ?? 0;
      if (change.type === "delete") {
        if (current === undefined) {
          return { entry: undefined, outcome: "unchanged" };
        }
        const result = await this.#store.delete(key, { expectedRevision });
        if (result.succeeded) {
          return { entry: current.at(result.revision), outcome: "deleted" };
        }
        current = result.current === undefined ? undefined : entryOf(result.current);
        continue;
      }
      const encoded = this.#encodeStorable(key, change.object, options);
      const value = encoded instanceof Promise ? await encoded : encoded;
      if (current?.holds(value) === true && (await this.#store.isStale?.(key)) !== true) {
        return { entry: current, outcome: "unchanged" };
      }
      const result = await this.#put(key, change.object, value, expectedRevision, options);
      if (result.succeeded) {
        const entry = this.#written(key, result.value, result.revision);
        return { entry, outcome: current === undefined ? "created" : "updated" };
      }
      current = result.current === undefined ? undefined : entryOf(result.current);
    }
  }

  /**
   * Encodes an object without its resourceVersion: the store knows it better, and it is not known before the commit.
   */
  #encode(object: JsonObject): Buffer {
    delete metaOf(object).resourceVersion;
    return Buffer.from(encodeStoredJson(object));
  }

  /** Encodes an object, and refuses one that is too large. Returns a promise only if the object is very large. */
  #encodeStorable(key: string, object: JsonObject, options: WriteObjectOptions): Buffer | Promise<Buffer> {
    const value = this.#encode(object);
    return mayBeTooLarge(key, value) ? this.#encodeLarge(key, object, value, options) : value;
  }

  /** Checks a large object in steps of its own: encoding and this check take long, each of them. */
  async #encodeLarge(
    key: string,
    object: JsonObject,
    encoded: Buffer,
    { mayForgetOwners }: WriteObjectOptions,
  ): Promise<Buffer> {
    let value = encoded;
    await yieldToEventLoop();
    while (isTooLarge(key, object, value)) {
      if (mayForgetOwners !== true || !forgetOwners(object)) {
        throw requestTooLarge();
      }
      await yieldToEventLoop();
      value = this.#encode(object);
      await yieldToEventLoop();
    }
    await yieldToEventLoop();
    this.#checkServed();
    return value;
  }

  /**
   * Writes an object that is encoded as `value`, or without owners if the store refuses it for its size: one of others has
   * limits of its own, for what it is sent. The result tells which of the two has been written.
   */
  async #put(
    key: string,
    object: JsonObject,
    value: Buffer,
    expectedRevision: number,
    { ttlSeconds, mayForgetOwners }: WriteObjectOptions,
  ): Promise<WriteResult & { readonly value: Buffer }> {
    const options: PutOptions = { expectedRevision, ...(ttlSeconds === undefined ? {} : { ttlSeconds }) };
    try {
      return { ...(await this.#store.put(key, value, options)), value };
    } catch (error) {
      if (!(error instanceof StoreValueTooLargeError) || mayForgetOwners !== true || !forgetOwners(object)) {
        throw error;
      }
    }
    const shorter = this.#encode(object);
    return { ...(await this.#store.put(key, shorter, options)), value: shorter };
  }

  #checkServed(): void {
    if (this.#disposed) {
      throw new NoLongerServedError();
    }
  }

  /**
   * Returns the entry of a finished write: the one from the cache, which is usually ahead of the writer and has stamped
   * it.
   */
  #written(key: string, value: Buffer, modRevision: number): CacheEntry {
    const cached = this.cache.get(key);
    return cached?.revision === modRevision ? cached : CacheEntry.fromStore({ key, value, modRevision });
  }
}

/** Removes the owners of an object's fields. False if it has none. */
function forgetOwners(object: JsonObject): boolean {
  const meta = metaOf(object);
  const hasOwners = meta["managedFields"] !== undefined;
  delete meta["managedFields"];
  return hasOwners;
}

/** The outcome of `change`. The entry is undefined when there was no object and none was made. */
export interface ChangeResult {
  readonly entry: CacheEntry | undefined;
  readonly outcome: "created" | "updated" | "deleted" | "unchanged";
}

/** Reports whether the store accepts a key; no object is stored under any other. */
export function isStorableKey(key: string): boolean {
  return key.length * 3 <= maxKeyBytes || Buffer.byteLength(key) <= maxKeyBytes;
}

/** Longest wait for the feed in milliseconds; the feed is milliseconds behind unless the machine stands still. */
const catchUpTimeoutMs = 20_000;

function entryOf(kv: KeyValue): CacheEntry {
  return CacheEntry.fromStore(kv);
}
