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
import { ConfigMaps } from "./config-maps.js";
import { StoreCopy } from "./store-copy.js";
import { WriteQueue } from "./write-queue.js";

/** Options of `openConfigMapStore`. */
export interface ConfigMapStoreOptions {
  /** The API server in front, and who may read and write ConfigMaps of the namespace there. */
  readonly front: ClientConfig;
  /** The namespace of the ConfigMaps, which exists. */
  readonly namespace: string;
  /** The name of the store: that of its head, and the beginning of the names of all its ConfigMaps. */
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

/** The bytes of the largest value, which has to lie in a ConfigMap of 1 MiB together with its key. */
export const maxConfigMapValueBytes = 1_000_000;

const pingTimeoutMs = 2000;

/**
 * Opens a store whose content lies in ConfigMaps of the API server in front, for extension API servers with few objects:
 * all of them are kept in memory. Any number of processes may open it. Rejects with an error of stores when the ConfigMaps
 * cannot be read, or are not those of one store.
 */
export async function openConfigMapStore(options: ConfigMapStoreOptions): Promise<Store> {
  const { namespace, name, observer = silentObserver, onTrouble = () => {} } = options;
  const closing = new AbortController();
  const client = new FrontClient(options.front, `gatehouse-extension/${version}`);
  try {
    const configMaps = new ConfigMaps(client, { namespace, store: name, signal: closing.signal });
    const parts = { configMaps, store: name, observer, onTrouble, signal: closing.signal };
    const copy = await StoreCopy.open(parts);
    return new ConfigMapStore({ copy, writes: new WriteQueue(copy, parts), client, closing, options });
  } catch (error) {
    closing.abort();
    client[Symbol.dispose]();
    throw error;
  }
}

class ConfigMapStore implements Store {
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
    readonly options: ConfigMapStoreOptions;
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
    if (value.length > maxConfigMapValueBytes) {
      throw new StoreValueTooLargeError(
        `the object has ${value.length} bytes, and a ConfigMap holds ${maxConfigMapValueBytes}`,
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
