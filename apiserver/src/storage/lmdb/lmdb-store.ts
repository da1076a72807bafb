import { RevisionInFutureError, type StoreDamagedError } from "../../errors/errors.js";
import type { ChangeBatch, Keyspace } from "../keyspace.js";
import {
  type GetResult,
  maxKeyBytes,
  type PutOptions,
  type RangeOptions,
  type RangeResult,
  type Store,
  type WatchBatch,
  type WatchOptions,
  type WriteResult,
} from "../store.js";
import { type StoreCondition, type StoreObserver, silentObserver } from "../store-condition.js";
import type { ValueMemory } from "../value-memory.js";
import type { Environment, MappingListener } from "./environment.js";
import { type ExpirySweeper, startExpirySweeper } from "./expiry-sweeper.js";
import { followChanges } from "./follow-changes.js";
import { GroupCommit } from "./group-commit.js";
import { intervalOfPrefix } from "./key-interval.js";
import { LmdbKeyspace } from "./lmdb-keyspace.js";
import { defaultMappingLimits, type MappingLimits } from "./mapping-limits.js";
import { compactOperation, deleteOperation, probeOperation, purgeOperation, putOperation } from "./operations.js";
import { checkRevision, readRange } from "./range.js";
import { Reader } from "./reader.js";
import { RevisionSignal } from "./revision-signal.js";
import { acquireEnvironment, releaseEnvironment } from "./shared-environments.js";
import { defaultWriteRetry, WriteGate, type WriteRetry } from "./write-gate.js";

/** Options of the embedded store. */
export interface LmdbStoreOptions {
  /** Directory of the data; created, for its owner only, when absent. */
  readonly directory: string;
  /** Returns the wall clock in milliseconds, for times to live. */
  readonly now?: () => number;
  /** Interval in milliseconds between looks for commits of other processes while a watch waits; 50 by default. */
  readonly pollIntervalMs?: number;
  /** Interval in milliseconds between looks for expired keys; 1000 by default. */
  readonly sweepIntervalMs?: number;
  /** Limits on the part of the data file in resident memory; 32 MiB by default, checked every 2 s. */
  readonly mappingLimits?: MappingLimits;
  /**
   * Called with the error when expired keys could not be deleted, once until it works again; the next round tries
   * again. Not called for errors that the observer receives.
   */
  readonly onSweepError?: (error: unknown) => void;
  /** Intervals between tries whether writes work again; 1 s, then up to 10 s by default. */
  readonly writeRetry?: WriteRetry;
  /** True to change nothing: expired keys stay, writes throw a TypeError, and a directory without data is refused. */
  readonly readOnly?: boolean;
  /**
   * The revision at which a new store begins; reads at and watches after an older one fail as compacted. Default: 1, with
   * nothing compacted. Not used when the directory has data.
   */
  readonly initialRevision?: number;
  /**
   * True to flush nothing, for tests that throw the data away. Commits survive the end of the process; after the end of
   * the machine the data may be damaged. All stores that share the directory should have the same.
   */
  readonly unsafeNoFsync?: boolean;
  /** Called after each commit of this process: a caller may tell other processes, whose stores look when asked for the revision. */
  readonly onCommit?: () => void;
  /** The observer of full disks, damage and similar conditions. */
  readonly observer?: StoreObserver;
}

/** The error code after which LMDB's mapping cannot be used any more (MDB_PANIC). */
const panic = -30795;

/**
 * Opens the embedded store. Several stores and several processes may have one directory open.
 *
 * Throws StoreUnusableError if the directory cannot be used: it is a file, may not be written, holds something else or
 * damaged data, or data in another format than this version's.
 */
export async function openLmdbStore(options: LmdbStoreOptions): Promise<EmbeddedStore> {
  return new LmdbStore(
    await acquireEnvironment(options.directory, options.mappingLimits ?? defaultMappingLimits, {
      readOnly: options.readOnly ?? false,
      initialRevision: options.initialRevision,
      unsafeNoFsync: options.unsafeNoFsync ?? false,
    }),
    options,
  );
}

/** The embedded store: the contract, and the same data as etcd sees it. */
export interface EmbeddedStore extends Store {
  readonly keyspace: Keyspace;
}

class LmdbStore implements EmbeddedStore {
  readonly keyspace: Keyspace;
  readonly #environment: Environment;
  readonly #commits: GroupCommit;
  readonly #gate: WriteGate;
  readonly #onDamage: (error: StoreDamagedError) => void;
  readonly #onMapping: MappingListener;
  readonly #onCommit: (() => void) | undefined;
  readonly #signal: RevisionSignal;
  /** Absent when the store is only read. */
  readonly #sweeper: ExpirySweeper | undefined;
  readonly #now: () => number;
  readonly #closing = new AbortController();
  #rangesRunning = new Set<Promise<unknown>>();

  constructor(environment: Environment, options: LmdbStoreOptions) {
    const { now = Date.now, pollIntervalMs = 50, sweepIntervalMs = 1000, onSweepError = () => {} } = options;
    this.#environment = environment;
    this.#now = now;
    const observer = options.observer ?? silentObserver;
    this.#onDamage = (error) => observer.storeDamaged(error);
    this.#onMapping = { lost: (error) => observer.storeLost(error), recovered: () => observer.storeRecovered() };
    environment.damage.listeners.add(this.#onDamage);
    environment.mappingListeners.add(this.#onMapping);
    this.#onCommit = options.onCommit;
    if (this.#onCommit !== undefined) {
      environment.commitListeners.add(this.#onCommit);
    }
    this.#commits = new GroupCommit(environment, {
      onFailure: (cause, bytes) => this.#failed(cause, bytes),
      isSpaceScarce: () => this.#gate.isSpaceScarce,
    });
    this.#gate = new WriteGate({
      directory: environment.path,
      observer,
      retry: options.writeRetry ?? defaultWriteRetry,
      probe: async (bytes) => {
        await this.#commits.run(probeOperation(bytes), bytes);
        await this.#commits.run(probeOperation(0), 0);
      },
    });
    this.#signal = new RevisionSignal(environment, pollIntervalMs);
    const sweep = { intervalMs: sweepIntervalMs, now, onError: onSweepError };
    this.#sweeper = options.readOnly === true ? undefined : startExpirySweeper(environment, this.#commits, sweep);
    this.keyspace = new LmdbKeyspace({
      store: this,
      environment,
      commits: this.#commits,
      signal: this.#signal,
      closing: this.#closing.signal,
      readAtOneMoment: (read) => this.#readAtOneMoment(read),
      problem: () => this.#gate.problem,
    });
  }

  currentRevision(): number | Promise<number> {
    this.#checkOpen();
    return this.#signal.check() ?? this.#signal.current();
  }

  async get(key: string, options?: { readonly revision?: number }): Promise<GetResult> {
    const keyBytes = encodeKey(key);
    while (!this.#environment.isAvailable) {
      await this.#environment.available();
    }
    const reader = this.#newReader();
    const state = reader.state();
    const revision = options?.revision ?? state.revision;
    checkRevision(state, revision);
    let modRevision = reader.head(keyBytes)?.modRevision;
    if (revision < state.revision && (modRevision === undefined || modRevision > revision)) {
      modRevision = reader.historicRevision(keyBytes, revision);
    }
    const kv = modRevision === undefined ? undefined : reader.keyValue(key, modRevision);
    this.#environment.remapWhenDue();
    return { revision, kv };
  }

  async range(options: RangeOptions): Promise<RangeResult> {
    return this.#readAtOneMoment((reader) => readRange(reader, options), options.memory);
  }

  async put(key: string, value: Buffer, { expectedRevision, ttlSeconds }: PutOptions): Promise<WriteResult> {
    const keyBytes = encodeKey(key);
    this.#checkWritable();
    if (this.#gate.problem !== undefined) {
      throw this.#gate.problem;
    }
    const expiresAtMs = ttlSeconds === undefined ? 0 : Math.ceil(this.#now() + ttlSeconds * 1000);
    const operation = putOperation(key, keyBytes, value, expectedRevision, expiresAtMs);
    return this.#commits.run(operation, keyBytes.length + value.length);
  }

  async delete(key: string, { expectedRevision }: { readonly expectedRevision: number }): Promise<WriteResult> {
    const keyBytes = encodeKey(key);
    this.#checkWritable();
    return this.#commits.run(deleteOperation(key, keyBytes, expectedRevision), keyBytes.length);
  }

  watch({
    prefix,
    afterRevision,
    signal,
    maxBatchBytes,
    onCommitted,
    withExpiry,
  }: WatchOptions): AsyncIterable<WatchBatch> {
    const changes = followChanges({
      environment: this.#environment,
      signal: this.#signal,
      keys: intervalOfPrefix(Buffer.from(prefix)),
      isWanted: (key) => key.startsWith(prefix),
      afterRevision,
      stop: AbortSignal.any([signal, this.#closing.signal]),
      maxBatchBytes,
      onCommitted: withExpiry === true ? undefined : onCommitted,
    });
    return withExpiry === true ? this.#withExpiry(changes) : changes;
  }

  /** Adds to keys that live by a lease the time at which it ends. */
  async *#withExpiry(batches: AsyncIterable<ChangeBatch>): AsyncGenerator<WatchBatch> {
    for await (const { events, revision } of batches) {
      while (!this.#environment.isAvailable) {
        await this.#environment.available();
      }
      const reader = this.#newReader();
      const endOf = (lease: bigint) => (lease === 0n ? {} : { expiresAtMs: reader.leaseEndsAtMs(lease) });
      const complete = events.map((event) =>
        event.type === "put"
          ? { ...event, ...endOf(event.lease) }
          : { ...event, previous: { ...event.previous, ...endOf(event.previous.lease) } },
      );
      yield { events: complete, revision };
    }
  }

  async compact(revision: number): Promise<void> {
    this.#checkWritable();
    const state = await this.#commits.run(compactOperation(revision), 0);
    if (revision > state.revision) {
      throw new RevisionInFutureError(state.revision);
    }
    while (!this.#closing.signal.aborted && !(await this.#commits.run(purgeOperation(), 0))) {
      // Each step is a transaction of its own, shared with the writes that came meanwhile.
    }
  }

  async ping(): Promise<void> {
    while (!this.#environment.isAvailable) {
      await this.#environment.available();
    }
    this.#newReader().state();
  }

  condition(): StoreCondition {
    return { writing: this.#gate.problem, damage: this.#environment.damage.summary() };
  }

  expireNow(): void {
    this.#sweeper?.sweep();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closing.signal.aborted) {
      return;
    }
    this.#closing.abort();
    this.#sweeper?.[Symbol.dispose]();
    this.#gate[Symbol.dispose]();
    this.#signal[Symbol.dispose]();
    await this.#commits.close();
    await Promise.allSettled(this.#rangesRunning);
    if (this.#onCommit !== undefined) {
      this.#environment.commitListeners.delete(this.#onCommit);
    }
    this.#environment.damage.listeners.delete(this.#onDamage);
    this.#environment.mappingListeners.delete(this.#onMapping);
    await releaseEnvironment(this.#environment);
  }

  /** Runs a read over several turns of the event loop; it sees the store as it was when it began. */
  #readAtOneMoment<T>(read: (reader: Reader) => Promise<T>, memory?: ValueMemory): Promise<T> {
    this.#checkOpen();
    const running = this.#environment.use(async ({ root }) => {
      root.resetReadTxn();
      const transaction = root.useReadTransaction();
      try {
        return await read(new Reader(this.#environment, { transaction, memory }));
      } finally {
        transaction.done();
      }
    });
    this.#rangesRunning.add(running);
    return running.finally(() => this.#rangesRunning.delete(running));
  }

  #failed(cause: Error, bytes: number): Error {
    if ((cause as { readonly code?: unknown }).code === panic) {
      this.#environment.wantRemap();
    }
    return this.#gate.shut(cause, bytes);
  }

  /** Makes a reader. Called when the environment is available, and right before reading. */
  #newReader(): Reader {
    this.#checkOpen();
    this.#environment.tables.root.resetReadTxn();
    return new Reader(this.#environment);
  }

  #checkWritable(): void {
    if (this.#sweeper === undefined) {
      throw new TypeError("the store was opened to be read only");
    }
  }

  #checkOpen(): void {
    if (this.#closing.signal.aborted) {
      throw new Error("the store is closed");
    }
  }
}

function encodeKey(key: string): Buffer {
  const bytes = Buffer.from(key);
  if (bytes.length === 0 || bytes.length > maxKeyBytes) {
    throw new TypeError(`a key must have 1 to ${maxKeyBytes} bytes, not ${bytes.length}`);
  }
  return bytes;
}
