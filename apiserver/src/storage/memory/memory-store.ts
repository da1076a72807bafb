import type {
  GetResult,
  PutOptions,
  RangeOptions,
  RangeResult,
  Store,
  WatchBatch,
  WatchOptions,
  WriteResult,
} from "../store.js";
import type { StoreCondition } from "../store-condition.js";
import { checkStoreKey } from "./check-store-key.js";
import type { MemoryData } from "./memory-data.js";
import { rangeOf } from "./memory-range.js";
import { watchMemory } from "./memory-watch.js";

/** Options of a store in memory. */
export interface MemoryStoreOptions {
  /** Returns the wall clock in milliseconds, for times to live. */
  readonly now?: () => number;
  /** Interval in milliseconds between looks for expired keys; 1000 by default. */
  readonly sweepIntervalMs?: number;
}

/**
 * A store in the memory of this process, for servers that tests throw away. It keeps the contract but for its promise to
 * survive: nothing is on a disk. Stores of one process may share data, which outlives them.
 */
export class MemoryStore implements Store {
  readonly #data: MemoryData;
  readonly #now: () => number;
  readonly #closing = new AbortController();
  readonly #sweeper: NodeJS.Timeout;

  constructor(data: MemoryData, { now = Date.now, sweepIntervalMs = 1000 }: MemoryStoreOptions = {}) {
    this.#data = data;
    this.#now = now;
    this.#sweeper = setInterval(() => this.expireNow(), sweepIntervalMs).unref();
  }

  /** Deletes the keys whose time is over. */
  expireNow(): void {
    if (this.#data.hasExpiringKeys) {
      this.#data.expire(this.#now());
    }
  }

  currentRevision(): number {
    this.#checkOpen();
    return this.#data.revision;
  }

  async get(key: string, options: { readonly revision?: number } = {}): Promise<GetResult> {
    this.#checkOpen();
    checkStoreKey(key);
    const { revision = this.#data.revision } = options;
    return { revision, kv: this.#data.get(key, revision) };
  }

  async range(options: RangeOptions): Promise<RangeResult> {
    this.#checkOpen();
    return rangeOf(this.#data, options);
  }

  async put(key: string, value: Buffer, { expectedRevision, ttlSeconds }: PutOptions): Promise<WriteResult> {
    this.#checkOpen();
    checkStoreKey(key);
    const expiresAtMs = ttlSeconds === undefined ? undefined : Math.ceil(this.#now() + ttlSeconds * 1000);
    return this.#data.put({ key, value, expectedRevision, expiresAtMs });
  }

  async delete(key: string, { expectedRevision }: { readonly expectedRevision: number }): Promise<WriteResult> {
    this.#checkOpen();
    checkStoreKey(key);
    return this.#data.delete(key, expectedRevision);
  }

  watch(options: WatchOptions): AsyncIterable<WatchBatch> {
    return watchMemory(this.#data, options, AbortSignal.any([options.signal, this.#closing.signal]));
  }

  async compact(revision: number): Promise<void> {
    this.#checkOpen();
    this.#data.compact(revision);
  }

  async ping(): Promise<void> {
    this.#checkOpen();
  }

  condition(): StoreCondition {
    return { writing: undefined, damage: undefined };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#sweeper);
    this.#closing.abort();
  }

  #checkOpen(): void {
    if (this.#closing.signal.aborted) {
      throw new Error("the store is closed");
    }
  }
}
