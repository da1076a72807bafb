import type { MessageInput, Method } from "@gatehouse/component-base/grpc";
import { RevisionCompactedError, RevisionInFutureError, StoreTimeoutError } from "../../errors/errors.js";
import { SharedRequests } from "../shared-requests.js";
import type {
  GetResult,
  KeyValue,
  PutOptions,
  RangeOptions,
  RangeResult,
  Store,
  WatchBatch,
  WatchOptions,
  WriteResult,
} from "../store.js";
import { type StoreCondition, type StoreObserver, silentObserver } from "../store-condition.js";
import { AlarmWatch } from "./alarm-watch.js";
import type { EtcdKeyValue, RangeRequest, TxnResponse } from "./api/kv.js";
import { startEtcdCompactor } from "./compactor.js";
import { EtcdClient, type EtcdTransport, UncertainWriteError } from "./etcd-client.js";
import { isCompacted, isFuture, isLeaseNotFound, storeErrorOf } from "./etcd-errors.js";
import type { EtcdMetrics, EtcdOperation } from "./etcd-metrics.js";
import { EtcdWatch } from "./etcd-watch.js";
import { encodeKey, keyValueOf, rangeOfPrefix } from "./key-values.js";
import { LeaseTimes } from "./lease-times.js";
import { Leases } from "./leases.js";
import { RequestMemory } from "./request-memory.js";
import { startSizePoll } from "./size-poll.js";
import { type ConditionalWrite, encodeConditionalWrite } from "./write-request.js";

/** Options of a store on etcd. */
export interface EtcdStoreOptions {
  readonly transport: EtcdTransport;
  /** Interval in milliseconds of compactions (`--etcd-compaction-interval`); 0, the default, for none. */
  readonly compactionIntervalMs?: number;
  /** The most by which a key with a time to live may live longer (`--lease-reuse-duration-seconds`); 60 by default. */
  readonly leaseReuseSeconds?: number;
  /** The key that is read to learn whether etcd answers; `/health` by default. It need not exist. */
  readonly healthKey?: string;
  /** Time in milliseconds that a call may take, all tries together; 10 seconds by default. */
  readonly callTimeoutMs?: number;
  /** Interval in milliseconds between looks whether there is space again; 5000 by default. */
  readonly spaceRetryMs?: number;
  readonly metrics?: EtcdMetrics;
  /** Interval in milliseconds between questions for the sizes of databases, for the metrics; 0, the default, for none. */
  readonly sizePollIntervalMs?: number;
  readonly observer?: StoreObserver;
  /** Called with errors of work that goes on beside requests: compaction, and files of TLS that cannot be used. */
  readonly onTrouble?: (error: unknown) => void;
}

/** Keys of the first page of a range, and bytes that a page should have. */
const firstPageKeys = 500;
const pageBytes = 8 * 1024 * 1024;
const maxPageKeys = 10_000;
const defaultPingTimeoutMs = 2000;

/**
 * Opens a store on an etcd cluster. Does not wait for a server: calls do. Throws StoreUnusableError for URLs and files
 * that cannot be used.
 */
export async function openEtcdStore(options: EtcdStoreOptions): Promise<Store> {
  const { onTrouble = () => {} } = options;
  return new EtcdStore(
    await EtcdClient.open(options.transport, { timeoutMs: options.callTimeoutMs, onRefusal: onTrouble }),
    options,
  );
}

class EtcdStore implements Store {
  readonly #client: EtcdClient;
  readonly #leases: Leases;
  readonly #leaseTimes: LeaseTimes;
  readonly #alarms: AlarmWatch;
  readonly #metrics: EtcdMetrics | undefined;
  readonly #background: readonly Disposable[];
  readonly #healthKey: Buffer;
  readonly #closing = new AbortController();
  readonly #onEvent: ((key: string) => void) | undefined;
  readonly #watches = new Set<EtcdWatch>();
  readonly #memory = new RequestMemory();
  /** The method of writes; its requests are encoded already. */
  readonly #txn: Method<Buffer, TxnResponse>;
  readonly #revision: SharedRequests<number>;

  constructor(client: EtcdClient, options: EtcdStoreOptions) {
    const { compactionIntervalMs = 0, leaseReuseSeconds = 60 } = options;
    const { healthKey = "/health", observer = silentObserver, onTrouble = () => {}, metrics } = options;
    const { sizePollIntervalMs = 0 } = options;
    this.#client = client;
    this.#txn = {
      ...client.api.kv.Txn,
      requestSerialize: (request) => request,
      requestDeserialize: (request) => request,
    };
    this.#metrics = metrics;
    this.#onEvent = metrics === undefined ? undefined : (key) => metrics.received(key);
    this.#leases = new Leases({ client, reuseSeconds: leaseReuseSeconds, metrics });
    this.#leaseTimes = new LeaseTimes(client);
    this.#alarms = new AlarmWatch(client, { observer, retryMs: options.spaceRetryMs ?? 5000 });
    this.#background = [
      startEtcdCompactor(client, { intervalMs: compactionIntervalMs, onError: onTrouble }),
      ...(metrics === undefined || sizePollIntervalMs === 0
        ? []
        : [startSizePoll(client, metrics, sizePollIntervalMs)]),
    ];
    this.#healthKey = Buffer.from(healthKey);
    this.#revision = new SharedRequests(() => this.#readRevision());
  }

  currentRevision(): Promise<number> {
    return this.#revision.ask();
  }

  async get(key: string, { revision = 0 }: { readonly revision?: number } = {}): Promise<GetResult> {
    const response = await this.#timed("get", key, this.#read({ key: encodeKey(key), revision }));
    const [found] = response.kvs;
    const at = revision === 0 ? (response.header?.revision ?? 0) : revision;
    return { revision: at, kv: found === undefined ? undefined : keyValueOf(found) };
  }

  async range(options: RangeOptions): Promise<RangeResult> {
    const { prefix, startKey, limit = Number.POSITIVE_INFINITY } = options;
    const { rangeEnd, key: first } = rangeOfPrefix(prefix, startKey);
    const kvs: KeyValue[] = [];
    let revision = options.revision ?? 0;
    let key = first;
    let pageKeys = firstPageKeys;
    for (;;) {
      const wanted = Math.min(pageKeys, limit - kvs.length);
      const page = await this.#timed("list", prefix, this.#read({ key, rangeEnd, limit: wanted, revision }));
      revision = revision === 0 ? (page.header?.revision ?? 0) : revision;
      let bytes = 0;
      for (const found of page.kvs) {
        kvs.push(options.withExpiry === true ? await this.#withExpiry(found) : keyValueOf(found));
        bytes += found.value.length;
      }
      const last = page.kvs.at(-1);
      if (!page.more || last === undefined || kvs.length >= limit) {
        return { revision, kvs, damaged: [], more: page.more };
      }
      key = Buffer.concat([last.key, Buffer.of(0)]);
      pageKeys = pageSize(page.kvs.length, bytes);
    }
  }

  async put(key: string, value: Buffer, { expectedRevision, ttlSeconds }: PutOptions): Promise<WriteResult> {
    const keyBytes = encodeKey(key);
    for (let isFirst = true; ; isFirst = false) {
      const lease = ttlSeconds === undefined ? 0n : await this.#orStoreError(this.#leases.leaseFor(ttlSeconds));
      try {
        const operation = expectedRevision === 0 ? "create" : "update";
        const writing = this.#write({ key: keyBytes, expectedRevision, value, lease });
        const result = await this.#timed(operation, key, writing);
        this.#alarms.putSucceeded();
        return result;
      } catch (error) {
        this.#alarms.writeFailed(error);
        if (!isLeaseNotFound(error) || !isFirst) {
          throw storeErrorOf(error);
        }
        this.#leases.forget(lease);
      }
    }
  }

  async delete(key: string, { expectedRevision }: { readonly expectedRevision: number }): Promise<WriteResult> {
    const keyBytes = encodeKey(key);
    if (expectedRevision === 0) {
      return { succeeded: false, current: (await this.get(key)).kv }; // there is no key with that revision to delete
    }
    try {
      const writing = this.#write({ key: keyBytes, expectedRevision, value: undefined, lease: 0n });
      return await this.#timed("delete", key, writing);
    } catch (error) {
      this.#alarms.writeFailed(error);
      throw storeErrorOf(error);
    }
  }

  async *watch(options: WatchOptions): AsyncIterable<WatchBatch> {
    const stop = AbortSignal.any([options.signal, this.#closing.signal]);
    const watch = new EtcdWatch(this.#client, options, { stop, onEvent: this.#onEvent });
    this.#watches.add(watch);
    try {
      for await (const batch of watch.read()) {
        yield options.withExpiry === true ? await this.#orStoreError(this.#leaseTimes.complete(batch)) : batch;
      }
    } finally {
      this.#watches.delete(watch);
    }
  }

  async compact(revision: number): Promise<void> {
    const { api } = this.#client;
    try {
      await this.#client.call(api.kv.Compact, { revision }, { repetition: "read" });
    } catch (error) {
      if (!isCompacted(error)) {
        throw await this.#readError(error);
      }
    }
  }

  async ping(timeoutMs = defaultPingTimeoutMs): Promise<void> {
    const options = { repetition: "read", timeoutMs } as const;
    await this.#orStoreError(this.#client.call(this.#client.api.kv.Range, { key: this.#healthKey }, options));
  }

  condition(): StoreCondition {
    return { writing: this.#alarms.problem, damage: undefined };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    for (const work of this.#background) {
      work[Symbol.dispose]();
    }
    this.#alarms[Symbol.dispose]();
    this.#client[Symbol.dispose]();
  }

  async #read(request: MessageInput<RangeRequest>) {
    try {
      return await this.#client.call(this.#client.api.kv.Range, request, { repetition: "read" });
    } catch (error) {
      throw await this.#readError(error);
    }
  }

  async #withExpiry(found: EtcdKeyValue): Promise<KeyValue> {
    const kv = keyValueOf(found);
    return found.lease === 0n
      ? kv
      : { ...kv, expiresAtMs: await this.#orStoreError(this.#leaseTimes.expiresAtMs(found.lease)) };
  }

  async #readRevision(): Promise<number> {
    const { header } = await this.#read({ key: this.#healthKey, countOnly: true });
    const revision = header?.revision ?? 0;
    for (const watch of this.#watches) {
      watch.reach(revision);
    }
    return revision;
  }

  /**
   * Makes one write if the key has the expected revision. A key has a revision once only, so that a change of a key that
   * exists happens once, however often it is sent; a creation does not, since the key can be deleted in between.
   */
  async #write(write: ConditionalWrite): Promise<WriteResult> {
    const request = encodeConditionalWrite(write, this.#memory.allocate);
    try {
      const repetition = write.expectedRevision === 0 ? "never" : "once";
      let isUncertain = false;
      const onUncertain = (): void => {
        isUncertain = true;
      };
      const response = await this.#client.call(this.#txn, request, { repetition, onUncertain });
      this.#memory.release(request);
      if (isUncertain && !response.succeeded) {
        // An earlier try may have been the one that changed the key.
        throw new UncertainWriteError("the answer of etcd was lost");
      }
      return this.#written(resultOf(response));
    } catch (error) {
      throw error instanceof UncertainWriteError ? new StoreTimeoutError({ cause: error }) : error;
    }
  }

  #written(result: WriteResult): WriteResult {
    if (result.succeeded) {
      for (const watch of this.#watches) {
        watch.follow(result.revision);
      }
    }
    return result;
  }

  async #timed<T>(operation: EtcdOperation, key: string, pending: Promise<T>): Promise<T> {
    if (this.#metrics === undefined) {
      return pending;
    }
    const startedAt = performance.now();
    let isDone = false;
    try {
      const result = await pending;
      isDone = true;
      return result;
    } finally {
      this.#metrics.request(operation, key, startedAt, !isDone);
    }
  }

  async #orStoreError<T>(pending: Promise<T>): Promise<T> {
    try {
      return await pending;
    } catch (error) {
      throw storeErrorOf(error);
    }
  }

  /** Returns the error of the contract for a failed read; it tells the revision, for which etcd must be asked again. */
  async #readError(error: unknown): Promise<unknown> {
    if (isCompacted(error)) {
      return new RevisionCompactedError(await this.#compactRevision());
    }
    return isFuture(error) ? new RevisionInFutureError(await this.currentRevision()) : storeErrorOf(error);
  }

  /** Returns the oldest revision that can be read: etcd tells it to those who watch from an older one. */
  async #compactRevision(): Promise<number> {
    const { signal } = new AbortController();
    const prefix = this.#healthKey.toString();
    try {
      for await (const _batch of this.watch({ prefix, afterRevision: 1, signal })) {
        break;
      }
    } catch (error) {
      if (error instanceof RevisionCompactedError) {
        return error.compactRevision;
      }
      throw error;
    }
    return 1;
  }
}

function resultOf({ succeeded, header, responses }: TxnResponse): WriteResult {
  if (succeeded) {
    return { succeeded, revision: header?.revision ?? 0 };
  }
  const current = responses[0]?.responseRange?.kvs[0];
  return { succeeded, current: current === undefined ? undefined : keyValueOf(current) };
}

function pageSize(keys: number, bytes: number): number {
  return Math.max(1, Math.min(maxPageKeys, Math.floor((pageBytes * keys) / Math.max(bytes, 1))));
}
