import type { ClientConfig } from "@gatehouse/component-base/kubeconfig";
import { version } from "@gatehouse/component-base/version";
import { RevisionInFutureError, StoreValueTooLargeError } from "../../errors/errors.js";
import { checkStoreKey, rangeOf, watchMemory } from "../../storage/memory/index.js";
import type {
  GetResult,
  PutOptions,
  RangeOptions,
  RangeResult,
  Store,
  WatchBatch,
  WatchOptions,
  WriteResult,
} from "../../storage/store.js";
import { type StoreCondition, type StoreObserver, silentObserver } from "../../storage/store-condition.js";
import { FrontClient } from "../front-client.js";
import { type BackingName, backingOf } from "./backing.js";
import { BackingObjects } from "./backing-objects.js";
import { StoreCopy } from "./store-copy.js";
import { WriteQueue } from "./write-queue.js";

/** Options of `openFrontStore`. */
export interface FrontStoreOptions {
  /** The API server in front, and who may read and write the objects of the namespace there. */
  readonly front: ClientConfig;
  /** The objects that hold the store: ConfigMaps, or custom resources of `recordDefinition(name)`, which exists. */
  readonly backing: BackingName;
  /** The namespace of the objects, which exists. */
  readonly namespace: string;
  /** The name of the store: that of its head, and the beginning of the names of all its objects. */
  readonly name: string;
  /** Called when the API server in front cannot be reached, and when it can be again. */
  readonly observer?: StoreObserver;
  /** Called with failures of which no caller learns. */
  readonly onTrouble?: (error: unknown) => void;
  /** Returns the wall clock in milliseconds, for times to live. */
  readonly now?: () => number;
  /** Interval in milliseconds between looks for expired keys; 1000 by default. */
  readonly sweepIntervalMs?: number;
}

/**
 * The bytes of the largest value, which has to lie in a ConfigMap of 1 MiB together with its key, and as part of a JSON
 * document in an etcd request of 1.5 MiB.
 */
export const maxFrontValueBytes = 1_000_000;

const pingTimeoutMs = 2000;

/**
 * Opens a store whose content lies in objects of the API server in front, for extension API servers that store little: all
 * of it is kept in memory. Any number of processes may open it. Rejects with an error of stores when the objects in front
 * cannot be read, or are not those of one store.
 */
export async function openFrontStore(options: FrontStoreOptions): Promise<Store> {
  const { namespace, name, observer = silentObserver, onTrouble = () => {} } = options;
  const closing = new AbortController();
  const client = new FrontClient(options.front, `gatehouse-extension/${version}`);
  try {
    const backing = backingOf(options.backing, name);
    const objects = new BackingObjects(client, { backing, namespace, store: name, signal: closing.signal });
    const parts = { objects, store: name, observer, onTrouble, signal: closing.signal };
    const copy = await StoreCopy.open(parts);
    return new FrontStore({ copy, writes: new WriteQueue(copy, parts), client, closing, options });
  } catch (error) {
    closing.abort();
    client[Symbol.dispose]();
    throw error;
  }
}

class FrontStore implements Store {
  readonly #copy: StoreCopy;
  readonly #writes: WriteQueue;
  readonly #client: FrontClient;
  readonly #closing: AbortController;
  readonly #now: () => number;
  readonly #sweeper: NodeJS.Timeout;

  constructor(parts: {
    readonly copy: StoreCopy;
    readonly writes: WriteQueue;
    readonly client: FrontClient;
    readonly closing: AbortController;
    readonly options: FrontStoreOptions;
  }) {
    const { now = Date.now, sweepIntervalMs = 1000, onTrouble = () => {} } = parts.options;
    this.#copy = parts.copy;
    this.#writes = parts.writes;
    this.#client = parts.client;
    this.#closing = parts.closing;
    this.#now = now;
    this.#sweeper = setInterval(() => void this.#sweep(onTrouble), sweepIntervalMs).unref();
  }

  async currentRevision(): Promise<number> {
    await this.#catchUp();
    return this.#copy.data.revision;
  }

  async get(key: string, options: { readonly revision?: number } = {}): Promise<GetResult> {
    checkStoreKey(key);
    await this.#catchUpTo(options.revision);
    const { data } = this.#copy;
    const { revision = data.revision } = options;
    return { revision, kv: data.get(key, revision) };
  }

  async range(options: RangeOptions): Promise<RangeResult> {
    await this.#catchUpTo(options.revision);
    return rangeOf(this.#copy.data, options);
  }

  async put(key: string, value: Buffer, { expectedRevision, ttlSeconds }: PutOptions): Promise<WriteResult> {
    this.#checkOpen();
    checkStoreKey(key);
    if (value.length > maxFrontValueBytes) {
      throw new StoreValueTooLargeError(
        `the object has ${value.length} bytes, and the store takes ${maxFrontValueBytes} of each`,
      );
    }
    const expiry = ttlSeconds === undefined ? {} : { expiresAtMs: Math.ceil(this.#now() + ttlSeconds * 1000) };
    return this.#writes.write({ key, value, expectedRevision, ...expiry });
  }

  async delete(key: string, { expectedRevision }: { readonly expectedRevision: number }): Promise<WriteResult> {
    this.#checkOpen();
    checkStoreKey(key);
    return this.#writes.write({ key, value: undefined, expectedRevision });
  }

  watch(options: WatchOptions): AsyncIterable<WatchBatch> {
    return watchMemory(this.#copy.data, options, AbortSignal.any([options.signal, this.#closing.signal]));
  }

  async compact(revision: number): Promise<void> {
    await this.#catchUpTo(revision);
    const { data } = this.#copy;
    if (revision > data.revision) {
      throw new RevisionInFutureError(data.revision);
    }
    if (revision > data.compactRevision) {
      await this.#writes.compact(revision);
    }
  }

  async ping(timeoutMs = pingTimeoutMs): Promise<void> {
    this.#checkOpen();
    await this.#copy.ping(timeoutMs);
  }

  condition(): StoreCondition {
    return { writing: undefined, damage: undefined };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#sweeper);
    this.#closing.abort();
    await this.#writes.ended();
    this.#client[Symbol.dispose]();
  }

  /** Deletes the keys whose time is over; other processes may do the same. */
  async #sweep(onTrouble: (error: unknown) => void): Promise<void> {
    try {
      const expired = this.#copy.data.expiredKeys(this.#now());
      await Promise.all(
        expired.map(({ key, modRevision }) =>
          this.#writes.write({ key, value: undefined, expectedRevision: modRevision }),
        ),
      );
    } catch (error) {
      if (!this.#closing.signal.aborted) {
        onTrouble(error);
      }
    }
  }

  async #catchUpTo(revision: number | undefined): Promise<void> {
    if (revision === undefined || revision > this.#copy.data.revision) {
      await this.#catchUp();
    }
    this.#checkOpen();
  }

  async #catchUp(): Promise<void> {
    this.#checkOpen();
    await this.#copy.catchUp();
  }

  #checkOpen(): void {
    if (this.#closing.signal.aborted) {
      throw new Error("the store is closed");
    }
  }
}
