import { StepMeter, type Steps } from "@gatehouse/envelopes/scheduling";
import type { Transaction } from "lmdb";
import type { StoreDamagedError } from "../../errors/errors.js";
import type { KeyInterval, KeyVersion } from "../keyspace.js";
import type { KeyValue } from "../store.js";
import { ValueMemory } from "../value-memory.js";
import { isWhole } from "./checksum.js";
import type { DamagedRecord } from "./damage-report.js";
import type { Environment } from "./environment.js";
import {
  commitsKey,
  decodeKeyHead,
  decodeLease,
  decodeLogRecord,
  decodeState,
  encodeFurtherKey,
  encodeHistoryKey,
  encodeInteger,
  encodeLeaseKey,
  historyKeyLength,
  identityKey,
  type KeyHead,
  type LeaseRecord,
  type LogRecord,
  logHeaderBytes,
  readInteger,
  type StoreState,
  stateKey,
  writeInteger,
} from "./layout.js";
import type { PendingWrites, TableEntry, TableName, TableRange } from "./pending-writes.js";

/** Number of leases that are read in one step. */
const leasesPerStep = 256;

/** The moment and the writes that a reader reads, when that is not the newest commit. */
export interface ReaderOptions {
  /** The read transaction whose moment is read. */
  readonly transaction?: Transaction | undefined;
  /** Memory that values are copied into, out of the map. */
  readonly memory?: ValueMemory | undefined;
  /** Writes that are read as if they were in the tables already. */
  readonly writes?: PendingWrites | undefined;
}

/**
 * Lets `Environment` data be read, at one moment when opened with a transaction, or inside the running write transaction.
 * Every record is held against its checksum: all methods that read throw StoreDamagedError, and the environment's damage
 * report learns of it.
 */
export class Reader {
  readonly #environment: Environment;
  readonly #options: { transaction: Transaction } | undefined;
  readonly #revisionKey = Buffer.alloc(8);
  readonly #memory: ValueMemory;
  readonly #writes: PendingWrites | undefined;

  constructor(environment: Environment, { transaction, memory, writes }: ReaderOptions = {}) {
    this.#environment = environment;
    this.#memory = memory ?? new ValueMemory();
    this.#options = transaction === undefined ? undefined : { transaction };
    this.#writes = writes;
  }

  /** Returns the newest revision and the start of the history. */
  state(): StoreState {
    const bytes = this.#fast("meta", stateKey);
    if (bytes === undefined || !isWhole(bytes, 0)) {
      throw this.damaged({ detail: "the record of the newest revision does not match its checksum" });
    }
    return decodeState(bytes);
  }

  /** Returns the head of a live key; undefined when there is none. */
  head(key: Buffer): KeyHead | undefined {
    const bytes = this.#fast("keys", key);
    return bytes === undefined ? undefined : this.headOf(key, bytes);
  }

  /** Decodes the head of a key from its entry in the `keys` table. */
  headOf(key: Buffer, bytes: Buffer): KeyHead {
    return isWhole(bytes, 0) ? decodeKeyHead(bytes) : this.refuseHead(key);
  }

  /** Throws the error of a key whose head is damaged. */
  refuseHead(key: Buffer): never {
    throw this.damaged({ key: key.toString(), detail: "its head does not match its checksum" });
  }

  /** Returns the revision that superseded a version, from an entry of the `history` table. */
  supersededOf(historyKey: Buffer, bytes: Buffer): number {
    if (!isWhole(bytes, 0)) {
      const keyLength = historyKeyLength(historyKey);
      throw this.damaged({
        key: historyKey.toString("utf8", 0, keyLength),
        revision: readInteger(historyKey, keyLength + 1),
        detail: "its history does not match its checksum",
      });
    }
    return readInteger(bytes, 0);
  }

  /** Returns the key's revision as of `revision`, from history; undefined if it was not superseded after that. */
  historicRevision(key: Buffer, revision: number): number | undefined {
    const start = Buffer.alloc(key.length + 9);
    key.copy(start);
    writeInteger(start, revision, key.length + 1);
    const end = Buffer.concat([key, Buffer.of(0)]);
    for (const { key: historyKey, value } of this.#range("history", { start, end, reverse: true })) {
      // Keys that continue this one with a zero byte share the range.
      if (historyKey.length === start.length) {
        return this.supersededOf(historyKey, value) > revision ? readInteger(historyKey, key.length + 1) : undefined;
      }
    }
    return undefined;
  }

  /**
   * Returns the change that `revision` made, the first one of a transaction of several; undefined when the log does not
   * have it (any more). `key` is for the error.
   */
  record(revision: number, key?: string): LogRecord | undefined {
    writeInteger(this.#revisionKey, revision, 0);
    const bytes = this.#fast("log", this.#revisionKey);
    if (bytes === undefined) {
      return undefined;
    }
    this.#environment.noteRead();
    return this.#checked(revision, bytes, bytes.length, key);
  }

  /** Returns the keys of the further changes of `revision`, in the order in which they were made. */
  furtherKeys(revision: number): Buffer[] {
    const found: { key: Buffer; place: number }[] = [];
    const range = { start: encodeInteger(revision), end: encodeInteger(revision + 1) };
    for (const { key, value } of this.#range("log", range)) {
      if (key.length > 8) {
        const { place } = this.#checked(revision, value, value.length);
        found.push({ key: Buffer.from(key.subarray(8)), place });
      }
    }
    return found.sort((a, b) => a.place - b.place).map(({ key }) => key);
  }

  /** Returns the modification revision that an entry of the expiry table names; undefined when there is no such entry. */
  expiryEntry(expiryKey: Buffer): number | undefined {
    const bytes = this.#fast("expiry", expiryKey);
    return bytes === undefined ? undefined : readInteger(bytes, 0);
  }

  /** Returns the identity of the store for clients of etcd; undefined as long as it has none. */
  identity(): Buffer | undefined {
    const bytes = this.#fast("meta", identityKey);
    // LMDB's shared buffer is longer than its `length`, which `Buffer.from` does not expect.
    return bytes === undefined ? undefined : Buffer.from(bytes.subarray(0, bytes.length));
  }

  /** Returns the number of commits that writers have counted; undefined before the first. */
  commits(): number | undefined {
    return this.#fast("meta", commitsKey)?.readDoubleLE(0);
  }

  /** Returns a further change of `revision`; undefined when the log does not have it (any more). */
  furtherRecord(revision: number, key: Buffer): LogRecord | undefined {
    const bytes = this.#fast("log", encodeFurtherKey(revision, key));
    return bytes === undefined ? undefined : this.#checked(revision, bytes, bytes.length);
  }

  /** Returns the record of the version that `revision` has written; undefined when the log does not have it. */
  recordOf(key: string, revision: number): LogRecord | undefined {
    const record = this.record(revision, key);
    return record !== undefined && this.keyOf(record) === key ? record : this.furtherRecord(revision, Buffer.from(key));
  }

  /** Returns the entries of a table within an interval of its keys. */
  entries(table: "keys" | "history" | "leased", keys: KeyInterval): Iterable<TableEntry> {
    return this.#range(table, keys);
  }

  /** Returns the entries of the log in the order of their revisions. */
  logEntries(): Iterable<TableEntry> {
    return this.#range("log", { start: Buffer.alloc(8) });
  }

  /** Returns the revision that superseded a version, infinity for one that is live, and 0 for one that is not known. */
  supersededBy(key: Buffer, revision: number): number {
    if (this.head(key)?.modRevision === revision) {
      return Number.POSITIVE_INFINITY;
    }
    const historyKey = encodeHistoryKey(key, revision);
    const bytes = this.#fast("history", historyKey);
    return bytes === undefined ? 0 : this.supersededOf(historyKey, bytes);
  }

  /** Decodes an entry of the log. */
  checked(revision: number, bytes: Buffer): LogRecord {
    return this.#checked(revision, bytes, bytes.length);
  }

  /** Returns all leases, in steps. */
  *leases(): Steps<(LeaseRecord & { readonly lease: bigint })[]> {
    const found: (LeaseRecord & { readonly lease: bigint })[] = [];
    const meter = new StepMeter(leasesPerStep);
    for (const { key, value } of this.#range("leases", { start: Buffer.alloc(8) })) {
      if (!isWhole(value, 0)) {
        throw this.damaged({ detail: "the record of a lease does not match its checksum" });
      }
      found.push({ lease: key.readBigUInt64BE(0), ...decodeLease(value) });
      if (meter.count()) {
        yield;
      }
    }
    return found;
  }

  /** Returns a lease; undefined when there is none. */
  lease(lease: bigint): LeaseRecord | undefined {
    const bytes = this.#fast("leases", encodeLeaseKey(lease));
    if (bytes !== undefined && !isWhole(bytes, 0)) {
      throw this.damaged({ detail: `the record of the lease ${lease} does not match its checksum` });
    }
    return bytes === undefined ? undefined : decodeLease(bytes);
  }

  /** Returns the record's key. */
  keyOf(record: LogRecord): string {
    return record.bytes.toString("utf8", logHeaderBytes, logHeaderBytes + record.keyLength);
  }

  /** Returns a copy of the record's value. */
  valueOf(record: LogRecord): Buffer {
    const start = logHeaderBytes + record.keyLength;
    const target = this.#memory.allocate(record.valueEnd - start);
    record.bytes.copy(target, 0, start, record.valueEnd);
    return target;
  }

  /**
   * Returns the key and the value that revision `modRevision` has written. Throws StoreDamagedError when it has not.
   */
  keyValue(key: string, modRevision: number): KeyValue {
    const record = this.#wantedRecord(key, modRevision);
    const { createRevision, expiresAtMs } = record;
    const kv = { key, value: this.valueOf(record), createRevision, modRevision };
    return expiresAtMs > 0 ? { ...kv, expiresAtMs } : kv;
  }

  /** Returns what keyValue does, with the version and the lease of the key. */
  keyVersion(key: string, modRevision: number): KeyVersion {
    const record = this.#wantedRecord(key, modRevision);
    const { createRevision, version, lease, expiresAtMs } = record;
    const kv = { key, value: this.valueOf(record), createRevision, modRevision, version, lease };
    return expiresAtMs > 0 ? { ...kv, expiresAtMs } : kv;
  }

  /** Returns a live key. Its head has the expiry time even where the log, of format 2, has not. */
  keyValueOf(key: string, { modRevision, expiresAtMs }: Pick<KeyHead, "modRevision" | "expiresAtMs">): KeyValue {
    const kv = this.keyValue(key, modRevision);
    return expiresAtMs === 0 || kv.expiresAtMs !== undefined ? kv : { ...kv, expiresAtMs };
  }

  /** Returns what keyValueOf does; a key that lives by a lease has the time at which that ends, one in the past if it has. */
  keyValueWithExpiry(key: string, at: Pick<KeyHead, "modRevision" | "expiresAtMs">): KeyValue {
    const { lease } = this.#wantedRecord(key, at.modRevision);
    const kv = this.keyValueOf(key, at);
    return lease === 0n ? kv : { ...kv, expiresAtMs: this.leaseEndsAtMs(lease) };
  }

  /** Returns the time at which a lease ends, in milliseconds since 1970; a time in the past when there is none. */
  leaseEndsAtMs(lease: bigint): number {
    return this.lease(lease)?.expiresAtMs ?? 1;
  }

  /** Notes damage; answers the error for the caller to throw. */
  damaged(record: DamagedRecord): StoreDamagedError {
    return this.#environment.damage.note(record);
  }

  /** Translates an error of reading the tables: StoreDamagedError if it means damage, otherwise the same error. */
  thrown(error: unknown): unknown {
    return this.#environment.damage.noteThrown(error);
  }

  #wantedRecord(key: string, revision: number): LogRecord {
    const record = this.recordOf(key, revision);
    if (record === undefined) {
      throw this.damaged({ key, revision, detail: "the log has no such record" });
    }
    return record;
  }

  #checked(revision: number, bytes: Buffer, length: number, key?: string): LogRecord {
    if (!isWhole(bytes, revision)) {
      throw this.damaged({ key, revision, detail: "the record does not match its checksum" });
    }
    return decodeLogRecord(revision, bytes, length);
  }

  /** Returns LMDB's shared buffer, which is valid until the next read. */
  #fast(table: TableName, key: Buffer): Buffer | undefined {
    const write = this.#writes?.newest(table, key);
    if (write !== undefined) {
      return write.value;
    }
    try {
      return (this.#environment.tables[table] as unknown as FastTable).getBinaryFast(key, this.#options);
    } catch (error) {
      throw this.#environment.damage.noteThrown(error);
    }
  }

  #range(table: TableName, range: TableRange): Iterable<TableEntry> {
    const stored = this.#environment.tables[table].getRange({ ...range, ...this.#options });
    return this.#writes?.merged(table, range, stored) ?? stored;
  }
}

/** The method that lmdb's types state without its second parameter: such a read can take a transaction, too. */
interface FastTable {
  getBinaryFast(key: Buffer, options: { transaction: Transaction } | undefined): Buffer | undefined;
}
