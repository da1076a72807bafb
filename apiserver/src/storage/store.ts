import type { StoreDamagedError } from "../errors/errors.js";
import type { Keyspace } from "./keyspace.js";
import type { StoreCondition } from "./store-condition.js";
import type { ValueMemory } from "./value-memory.js";

/**
 * The contract of the backing store: a multi-version key-value store in the manner of etcd. Everything the server keeps
 * goes through it; the verb handlers write to it and the watch cache reads from it. `@gatehouse/testing/store-contract`
 * has the suite that every implementation must pass.
 *
 * - One global revision, a positive safe integer, grows by one with every successful write. A new store starts at 1.
 * - A write is acknowledged only when it survives `kill -9` and loss of power.
 * - Keys are non-empty strings of at most `maxKeyBytes` UTF-8 bytes, ordered by their UTF-8 bytes. Values are opaque.
 * - Buffers handed out are immutable: neither side writes to them afterwards.
 * - Several processes may open one store. No promise depends on the memory of one of them.
 * - What comes back is what was put, or an error: a record that the disk has changed is noticed (StoreDamagedError), and
 *   keeps nobody from reading the others.
 * - A store that cannot write says so (StoreUnwritableError), goes on reading and deleting, and tries by itself until
 *   it can.
 */
export interface Store extends AsyncDisposable {
  /**
   * Returns the newest revision that any process has committed (a linearizable read). Every consistent read calls it
   * first, so a store that can answer without waiting returns a number.
   */
  currentRevision(): number | Promise<number>;

  /** Returns one key, at `revision` or now. Throws StoreDamagedError when the stored bytes are not what was put. */
  get(key: string, options?: { readonly revision?: number }): Promise<GetResult>;

  /**
   * Returns the live keys that start with `prefix`, in key order, at `revision` or now. With `limit`, at most so many,
   * starting with `startKey` when given. Damaged keys are returned beside the whole ones, for the caller to decide what
   * to make of a range that is not complete; it throws StoreDamagedError only when it is unknown which keys there are.
   */
  range(options: RangeOptions): Promise<RangeResult>;

  /**
   * Writes a key if its modification revision is `expectedRevision` (0: the key must not exist).
   * `ttlSeconds` lets the store delete the key after that time, as a delete of its own with its own revision; it may be
   * late, but not early, and the clock goes on through restarts. A put without `ttlSeconds` makes the key stay.
   * Throws StoreUnwritableError while there is no space: the write has not happened, and will not.
   */
  put(key: string, value: Buffer, options: PutOptions): Promise<WriteResult>;

  /**
   * Deletes a key if its modification revision is `expectedRevision`. Tried even while puts are refused for lack of
   * space, since it makes some; throws StoreUnwritableError if that does not work.
   */
  delete(key: string, options: { readonly expectedRevision: number }): Promise<WriteResult>;

  /**
   * Delivers every change of keys under `prefix` with revision greater than `afterRevision`, each exactly once and in
   * order, until `signal` aborts. Throws RevisionCompactedError if the changes are no longer retained. The iterator ends
   * with that error, too, if it is so slow that compaction overtakes it; the store buffers no more than a bounded number
   * of batches for a reader and re-reads the log afterwards. Ends with StoreDamagedError at a change that is not as it
   * was written.
   */
  watch(options: WatchOptions): AsyncIterable<WatchBatch>;

  /** Forgets history: reads at and watches after a revision smaller than `revision` fail from now on. */
  compact(revision: number): Promise<void>;

  /**
   * Throws when the store cannot answer; used by liveness and readiness checks. A store behind a network gives up after
   * `timeoutMs`, 2000 by default.
   */
  ping(timeoutMs?: number): Promise<void>;

  /** Returns the known problems of the store, at no cost; used by readiness checks. */
  condition(): StoreCondition;

  /**
   * Reports whether a key lies in a form that it would not be given now, so that a write that changes nothing is worth
   * its while. A store without it has one form only.
   */
  readonly isStale?: ((key: string) => Promise<boolean>) | undefined;
  /**
   * Begins to delete the keys whose time is over, as the store does by itself after a while. For a clock that has been set
   * ahead; absent where another program keeps the time.
   */
  readonly expireNow?: (() => void) | undefined;
  /** The data of this store as etcd sees it; absent when the store cannot be served by the API of etcd. */
  readonly keyspace?: Keyspace | undefined;
}

/** Longest key in UTF-8 bytes that a store accepts. etcd itself accepts longer ones, but no resource needs them. */
export const maxKeyBytes = 1500;

/** One version of one key. */
export interface KeyValue {
  readonly key: string;
  readonly value: Buffer;
  /** Revision of the write that created this incarnation of the key. */
  readonly createRevision: number;
  /** Revision of the last write of the key. */
  readonly modRevision: number;
  /**
   * The time at which the store may delete the key, in milliseconds since 1970. Absent for a key that stays. A store that
   * has to ask for it gives it only to a range or watch with `withExpiry`.
   */
  readonly expiresAtMs?: number;
}

/** The answer to a get. */
export interface GetResult {
  /** Revision at which the answer holds. */
  readonly revision: number;
  /** The key and its value; undefined when the key does not exist. */
  readonly kv: KeyValue | undefined;
}

/** Options of a range. */
export interface RangeOptions {
  readonly prefix: string;
  /** Keys before it are left out. Default: the prefix. */
  readonly startKey?: string;
  /** Keys at most. Default: all. */
  readonly limit?: number;
  /** The revision to read; the newest by default. */
  readonly revision?: number;
  /** True to be given `expiresAtMs` of each key that expires, also where that costs more. */
  readonly withExpiry?: boolean;
  /** Memory for the values, which are valid until it is reused. A store may use its own. Default: memory of their own. */
  readonly memory?: ValueMemory;
}

/** The answer to a range. */
export interface RangeResult {
  /** Revision at which the answer holds. */
  readonly revision: number;
  readonly kvs: readonly KeyValue[];
  /** Keys of the range whose data is damaged, in key order; they count towards `limit`. */
  readonly damaged: readonly StoreDamagedError[];
  /** True if `limit` left out live keys under the prefix. */
  readonly more: boolean;
}

/** The condition of a put, and how long the key lives. */
export interface PutOptions {
  /** The revision that the key must have; 0: the key must not exist. */
  readonly expectedRevision: number;
  readonly ttlSeconds?: number;
}

/**
 * The result of a write. A write that lost the race returns the current state, so that the writer can try again without
 * another read.
 */
export type WriteResult =
  | { readonly succeeded: true; readonly revision: number }
  | { readonly succeeded: false; readonly current: KeyValue | undefined };

/** Options of a watch. */
export interface WatchOptions {
  readonly prefix: string;
  readonly afterRevision: number;
  readonly signal: AbortSignal;
  /** True to be given `expiresAtMs` of each put that expires, also where that costs more. */
  readonly withExpiry?: boolean;
  /** A batch ends when its values have come to so many bytes, if not before: for readers of whom there may be many. */
  readonly maxBatchBytes?: number;
  /**
   * A short way for the writes of this process: a batch may come here instead of through the iteration, from memory and
   * before its writers have their answers. Over both ways every change comes once and in order. It is not called while
   * the reader still has to ask for the next batch; what it throws ends the iteration. A store may do without it.
   */
  readonly onCommitted?: (batch: WatchBatch) => void;
  /** Reports whether somebody wants the changes of a key now. A store may leave out the others where reading costs more. */
  readonly isWanted?: (key: string) => boolean;
  /** True to be given changes that cannot be read as `unreadable` of their batch; otherwise they end the watch. */
  readonly withUnreadable?: boolean;
}

/** Changes in revision order. `revision` says how far the stream has got; a batch may have no events. */
export interface WatchBatch {
  readonly events: readonly StoreEvent[];
  readonly revision: number;
  /** Errors in the place of changes that cannot be read, each with its key; only with `withUnreadable`. */
  readonly unreadable?: readonly StoreDamagedError[];
}

/** A change of one key. */
export type StoreEvent =
  | {
      readonly type: "put";
      readonly key: string;
      readonly revision: number;
      readonly createRevision: number;
      readonly value: Buffer;
      /** The former state of the key; undefined when there was none. */
      readonly previous: KeyValue | undefined;
      /** The time at which the key expires, as in KeyValue. */
      readonly expiresAtMs?: number;
    }
  | {
      readonly type: "delete";
      readonly key: string;
      readonly revision: number;
      readonly previous: KeyValue;
    };
