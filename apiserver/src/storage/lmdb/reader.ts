import type { Transaction } from "lmdb";
import type { StoreDamagedError } from "../../errors/errors.js";
import type { KeyValue } from "../store.js";
import { checksumBytes, isWhole } from "./checksum.js";
import type { DamagedRecord } from "./damage-report.js";
import type { Environment } from "./environment.js";
import {
  decodeKeyHead,
  decodeState,
  historyKeyLength,
  type KeyHead,
  logExpiringPut,
  logExpiryBytes,
  logHeaderBytes,
  logPut,
  readInteger,
  type StoreState,
  stateKey,
  writeInteger,
} from "./layout.js";
import type { Table, Tables } from "./tables.js";

/** Values are copied out of the map into shared chunks that grow up to this size; a large value gets its own. */
const maxChunkBytes = 64 * 1024;

const noBytes = Buffer.alloc(0);

/** A log record without its value, and how to get that. Valid only until the next read. */
export interface LogRecord {
  readonly isPut: boolean;
  readonly previousRevision: number;
  readonly createRevision: number;
  /** The time at which the version expires, in milliseconds since 1970; 0: never, or unknown (format 2). */
  readonly expiresAtMs: number;
  /** The bytes in LMDB's own buffer, which changes with the next read. */
  readonly bytes: Buffer;
  readonly keyLength: number;
  readonly length: number;
  /** Offset of the end of the value. */
  readonly valueEnd: number;
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
  #chunk: Buffer = noBytes;
  #nextChunkBytes = 0;
  #chunkUsed = 0;

  constructor(environment: Environment, transaction?: Transaction) {
    this.#environment = environment;
    this.#options = transaction === undefined ? undefined : { transaction };
  }

  /** The tables as they are now; not to be kept across an `await`. */
  get tables(): Tables {
    return this.#environment.tables;
  }

  /** Returns the newest revision and the start of the history. */
  state(): StoreState {
    const bytes = this.#fast(this.#environment.tables.meta, stateKey);
    if (bytes === undefined || !isWhole(bytes, 0)) {
      throw this.damaged({ detail: "the record of the newest revision does not match its checksum" });
    }
    return decodeState(bytes);
  }

  /** Returns the head of a live key; undefined when there is none. */
  head(key: Buffer): KeyHead | undefined {
    const bytes = this.#fast(this.#environment.tables.keys, key);
    return bytes === undefined ? undefined : this.headOf(key, bytes);
  }

  /** Decodes the head of a key from its entry in the `keys` table. */
  headOf(key: Buffer, bytes: Buffer): KeyHead {
    if (!isWhole(bytes, 0)) {
      throw this.damaged({ key: key.toString(), detail: "its head does not match its checksum" });
    }
    return decodeKeyHead(bytes);
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
    const range = { start, end, reverse: true, ...this.#options };
    for (const { key: historyKey, value } of this.#environment.tables.history.getRange(range)) {
      // Keys that continue this one with a zero byte share the range.
      if (historyKey.length === start.length) {
        return this.supersededOf(historyKey, value) > revision ? readInteger(historyKey, key.length + 1) : undefined;
      }
    }
    return undefined;
  }

  /**
   * Returns the change that `revision` made; undefined when the log does not have it (any more). `key` is for the
   * error.
   */
  record(revision: number, key?: string): LogRecord | undefined {
    writeInteger(this.#revisionKey, revision, 0);
    const bytes = this.#fast(this.#environment.tables.log, this.#revisionKey);
    if (bytes === undefined) {
      return undefined;
    }
    this.#environment.noteRead();
    if (!isWhole(bytes, revision)) {
      throw this.damaged({ key, revision, detail: "the record does not match its checksum" });
    }
    const isExpiring = bytes[0] === logExpiringPut;
    const valueEnd = bytes.length - checksumBytes - (isExpiring ? logExpiryBytes : 0);
    return {
      isPut: isExpiring || bytes[0] === logPut,
      previousRevision: readInteger(bytes, 1),
      createRevision: readInteger(bytes, 9),
      expiresAtMs: isExpiring ? readInteger(bytes, valueEnd) : 0,
      bytes,
      keyLength: bytes.readUInt16BE(17),
      length: bytes.length,
      valueEnd,
    };
  }

  /** Returns the record's key. */
  keyOf(record: LogRecord): string {
    return record.bytes.toString("utf8", logHeaderBytes, logHeaderBytes + record.keyLength);
  }

  /** Returns a copy of the record's value. */
  valueOf(record: LogRecord): Buffer {
    const start = logHeaderBytes + record.keyLength;
    const end = record.valueEnd;
    const target = this.#allocate(end - start);
    record.bytes.copy(target, 0, start, end);
    return target;
  }

  /**
   * Returns the key and the value that revision `modRevision` has written. Throws StoreDamagedError when it has not.
   */
  keyValue(key: string, modRevision: number): KeyValue {
    const record = this.record(modRevision, key);
    if (record === undefined || this.keyOf(record) !== key) {
      throw this.damaged({ key, revision: modRevision, detail: "the log has no such record" });
    }
    const { createRevision, expiresAtMs } = record;
    const value = this.valueOf(record);
    return expiresAtMs > 0
      ? { key, value, createRevision, modRevision, expiresAtMs }
      : { key, value, createRevision, modRevision };
  }

  /** Returns a live key. Its head has the expiry time even where the log, of format 2, has not. */
  keyValueOf(key: string, { modRevision, expiresAtMs }: KeyHead): KeyValue {
    const kv = this.keyValue(key, modRevision);
    return expiresAtMs === 0 || kv.expiresAtMs !== undefined ? kv : { ...kv, expiresAtMs };
  }

  /** Notes damage; answers the error for the caller to throw. */
  damaged(record: DamagedRecord): StoreDamagedError {
    return this.#environment.damage.note(record);
  }

  /** Translates an error of reading the tables: StoreDamagedError if it means damage, otherwise the same error. */
  thrown(error: unknown): unknown {
    return this.#environment.damage.noteThrown(error);
  }

  /** Returns LMDB's shared buffer, which is valid until the next read. */
  #fast(table: Table, key: Buffer): Buffer | undefined {
    try {
      return (table as unknown as FastTable).getBinaryFast(key, this.#options);
    } catch (error) {
      throw this.#environment.damage.noteThrown(error);
    }
  }

  #allocate(length: number): Buffer {
    if (length > maxChunkBytes / 4) {
      return Buffer.allocUnsafeSlow(length);
    }
    if (this.#chunkUsed + length > this.#chunk.length) {
      if (this.#nextChunkBytes === 0) {
        this.#nextChunkBytes = 4 * length;
        return Buffer.allocUnsafe(length); // most readers read one value
      }
      this.#chunk = Buffer.allocUnsafeSlow(Math.max(length, this.#nextChunkBytes));
      this.#chunkUsed = 0;
      this.#nextChunkBytes = Math.min(maxChunkBytes, 4 * this.#nextChunkBytes);
    }
    const start = this.#chunkUsed;
    this.#chunkUsed += length;
    return this.#chunk.subarray(start, start + length);
  }
}

/** The method that lmdb's types state without its second parameter: such a read can take a transaction, too. */
interface FastTable {
  getBinaryFast(key: Buffer, options: { transaction: Transaction } | undefined): Buffer | undefined;
}
