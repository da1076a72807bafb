import type { Transaction } from "lmdb";
import type { KeyValue } from "../store.js";
import type { Environment } from "./environment.js";
import {
  decodeKeyHead,
  decodeState,
  type KeyHead,
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
  /** LMDB's own buffer: it changes with the next read. */
  readonly bytes: Buffer;
  readonly keyLength: number;
  readonly length: number;
}

/** Lets `Environment` data be read, at one moment when opened with a transaction, or inside the running write transaction. */
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

  get tables(): Tables {
    return this.#environment.tables;
  }

  state(): StoreState {
    const bytes = this.#fast(this.#environment.tables.meta, stateKey);
    if (bytes === undefined) {
      throw new Error("the store has no state record");
    }
    return decodeState(bytes);
  }

  head(key: Buffer): KeyHead | undefined {
    const bytes = this.#fast(this.#environment.tables.keys, key);
    return bytes === undefined ? undefined : decodeKeyHead(bytes);
  }

  /** The key's revision as of `revision`, from history; undefined if it was not superseded after that. */
  historicRevision(key: Buffer, revision: number): number | undefined {
    const start = Buffer.alloc(key.length + 9);
    key.copy(start);
    writeInteger(start, revision, key.length + 1);
    const end = Buffer.concat([key, Buffer.of(0)]);
    const range = { start, end, reverse: true, ...this.#options };
    for (const { key: historyKey, value } of this.#environment.tables.history.getRange(range)) {
      // Keys that continue this one with a zero byte share the range.
      if (historyKey.length === start.length) {
        return readInteger(value, 0) > revision ? readInteger(historyKey, key.length + 1) : undefined;
      }
    }
    return undefined;
  }

  record(revision: number): LogRecord | undefined {
    writeInteger(this.#revisionKey, revision, 0);
    const bytes = this.#fast(this.#environment.tables.log, this.#revisionKey);
    if (bytes === undefined) {
      return undefined;
    }
    this.#environment.noteRead();
    return {
      isPut: bytes[0] === logPut,
      previousRevision: readInteger(bytes, 1),
      createRevision: readInteger(bytes, 9),
      bytes,
      keyLength: bytes.readUInt16BE(17),
      length: bytes.length,
    };
  }

  keyOf(record: LogRecord): string {
    return record.bytes.toString("utf8", logHeaderBytes, logHeaderBytes + record.keyLength);
  }

  /** A copy of the record's value. */
  valueOf(record: LogRecord): Buffer {
    const start = logHeaderBytes + record.keyLength;
    const target = this.#allocate(record.length - start);
    record.bytes.copy(target, 0, start, record.length);
    return target;
  }

  keyValue(key: string, modRevision: number): KeyValue {
    const record = this.record(modRevision);
    if (record === undefined) {
      throw new Error(`the store's log has no revision ${modRevision}`);
    }
    return { key, value: this.valueOf(record), createRevision: record.createRevision, modRevision };
  }

  /** LMDB's shared buffer, valid until the next read. */
  #fast(table: Table, key: Buffer): Buffer | undefined {
    return (table as unknown as FastTable).getBinaryFast(key, this.#options);
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

/** What lmdb's types leave out: such a read can take a transaction, too. */
interface FastTable {
  getBinaryFast(key: Buffer, options: { transaction: Transaction } | undefined): Buffer | undefined;
}
