/** Keys from `start` on and before `end`, in the order of their bytes; without `end`, all those that follow. */
export interface KeyInterval {
  readonly start: Buffer;
  readonly end?: Buffer;
}

/** One version of one key, with the facts that the contract of the store leaves out. */
export interface KeyVersion {
  readonly key: string;
  readonly value: Buffer;
  readonly createRevision: number;
  readonly modRevision: number;
  /** Number of writes since the key was created, this one included. */
  readonly version: number;
  /** The lease that the key lives by; 0 for none. */
  readonly lease: bigint;
  /** The time at which the store may delete the key, in milliseconds since 1970. Absent for a key that stays. */
  readonly expiresAtMs?: number;
}

/** A change of one key. Changes of one transaction have the same revision. */
export type KeyChange =
  | {
      readonly type: "put";
      readonly key: string;
      readonly revision: number;
      readonly createRevision: number;
      readonly value: Buffer;
      readonly version: number;
      readonly lease: bigint;
      /** The former state of the key; undefined when there was none, or when it is compacted. */
      readonly previous: KeyVersion | undefined;
      /** The time at which the store may delete the key, in milliseconds since 1970. Absent for a key that stays. */
      readonly expiresAtMs?: number;
    }
  | {
      readonly type: "delete";
      readonly key: string;
      readonly revision: number;
      readonly previous: KeyVersion;
    };

/** Changes in revision order, all those up to `revision`. */
export interface ChangeBatch {
  readonly events: readonly KeyChange[];
  readonly revision: number;
}

/** A lease: time that its keys have to live, unless it is renewed. */
export interface Lease {
  readonly ttlSeconds: number;
  /** Milliseconds since 1970. */
  readonly expiresAtMs: number;
}

/** Options of a read of several keys. */
export interface KeysWanted {
  readonly keys: KeyInterval;
  /** Keys at most. */
  readonly limit: number;
  /** The revision to read; the newest by default. */
  readonly revision?: number;
  /** True to count the keys beyond the limit as well. */
  readonly countsAll: boolean;
}

/** The keys that were found, in key order. */
export interface KeysFound {
  /** The newest revision of the store. */
  readonly newestRevision: number;
  readonly kvs: readonly KeyVersion[];
  /** Number of keys, with those beyond the limit if they were to be counted. */
  readonly count: number;
}

/**
 * The state of the keys inside a transaction, and the changes that it makes. All methods answer at once. Reads see the
 * changes made before them. All throw StoreDamagedError where data is damaged.
 */
export interface KeyspaceTransaction {
  /** The newest revision: with the first change, that of the transaction. */
  readonly revision: number;
  readonly compactRevision: number;
  get(key: Buffer): KeyVersion | undefined;
  find(wanted: KeysWanted): KeysFound;
  /** Writes a key, which lives by `lease` from now on; 0 for none. It must exist. */
  put(key: Buffer, value: Buffer, lease: bigint): void;
  /** Deletes a key; false when it does not exist. */
  delete(key: Buffer): boolean;
  lease(lease: bigint): Lease | undefined;
  setLease(lease: bigint, state: Lease): void;
  /** Forgets a lease whose keys have been deleted. */
  removeLease(lease: bigint): void;
  /** Returns the keys that live by a lease, in key order. */
  keysOfLease(lease: bigint): Buffer[];
}

/** Facts about a write transaction for the queue of writes. */
export interface TransactionOptions {
  /** Roughly the size of the writes. */
  readonly bytes: number;
  /** True for deletions, which are tried even while there is no space. */
  readonly makesSpace: boolean;
}

/** The changes to follow. */
export interface FollowOptions {
  readonly afterRevision: number;
  readonly signal: AbortSignal;
  /** The short way for the writes of this process, with the contract of `WatchOptions.onCommitted`. */
  readonly onCommitted: (batch: ChangeBatch) => void;
}

/** The changes to read. */
export interface ChangesWanted {
  readonly keys: KeyInterval;
  readonly afterRevision: number;
  /** A batch ends when its records have come to so many bytes. */
  readonly maxBatchBytes?: number | undefined;
}

/** A change as the history has it. */
export interface HistoricChange {
  readonly key: Buffer;
  /** The value; undefined for a deletion. */
  readonly value: Buffer | undefined;
  readonly revision: number;
  /** Number of changes before this one in its transaction. */
  readonly place: number;
  readonly createRevision: number;
  readonly version: number;
  readonly lease: bigint;
  /** The time at which the store may delete the key, in milliseconds since 1970; 0 for a key that stays. */
  readonly expiresAtMs: number;
}

/** The versions, changes and leases of a store at one moment. All methods that read throw StoreDamagedError where data is damaged. */
export interface KeyHistory {
  readonly revision: number;
  readonly compactRevision: number;
  /**
   * Yields the versions that are live at the compact revision, and all changes after it, in the order of revisions and of
   * places, in batches. Can be called several times, and yields the same each time.
   */
  changes(): AsyncIterable<readonly HistoricChange[]>;
  /** Returns the revision that superseded a version; infinity for one that is live. */
  supersededBy(version: Pick<HistoricChange, "key" | "revision">): number;
  leases(): Promise<readonly (Lease & { readonly lease: bigint })[]>;
}

/**
 * The data of a store as etcd sees it: transactions over several keys, versions and leases, beside the contract of the
 * store and on the same keys and revisions.
 */
export interface Keyspace {
  /** Returns the newest revision that any process has committed. */
  currentRevision(): number | Promise<number>;

  /** Returns the revision below which reads fail. */
  compactRevision(): Promise<number>;

  /** Reads keys. Throws RevisionInFutureError, RevisionCompactedError and StoreDamagedError. */
  find(wanted: KeysWanted): Promise<KeysFound>;

  /**
   * Runs `work` in a write transaction, with those of other writers; all its changes get one revision. Resolves to its
   * result when they are on disk. `work` changes nothing else: it is run again when another process was quicker. What it
   * throws undoes its changes, and the writes that share the transaction as well: it checks everything first, and returns
   * its refusals. Throws StoreUnwritableError.
   */
  transact<T>(options: TransactionOptions, work: (transaction: KeyspaceTransaction) => T): Promise<T>;

  /** Reads the next changes after a revision, those of the compact revision included. Throws RevisionCompactedError. */
  changes(wanted: ChangesWanted): Promise<ChangeBatch>;

  /**
   * Calls `read` with the history of one moment, which it may read until its promise is settled. The pages of the data file
   * that the moment needs are not used again meanwhile, so the file grows with the writes of that time.
   */
  readHistory<T>(read: (history: KeyHistory) => Promise<T>): Promise<T>;

  /** Delivers all changes after a revision, each once and in order, until the signal aborts. */
  follow(options: FollowOptions): AsyncIterable<ChangeBatch>;

  /** Returns all leases, in the order of their numbers. */
  leases(): Promise<readonly (Lease & { readonly lease: bigint })[]>;

  /** Returns numbers that no other store has, the same ones for ever. */
  identity(): Promise<{ readonly clusterId: bigint; readonly memberId: bigint }>;

  /** Returns the size of the data file in bytes, and how much of it holds data. */
  size(): Promise<{ readonly fileBytes: number; readonly usedBytes: number }>;
}
