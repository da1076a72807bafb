import { RevisionCompactedError } from "../../errors/errors.js";
import type { StoreEvent, WatchBatch } from "../store.js";
import type { Environment } from "./environment.js";
import { logHeaderBytes } from "./layout.js";
import { type LogRecord, Reader } from "./reader.js";

/** A batch ends after so many log records, or so many bytes of values; the reader asks for the next when it is ready. */
const maxBatchRecords = 1024;
const defaultMaxBatchBytes = 4 * 2 ** 20;

/**
 * Reads the changes of keys under `prefix` after `afterRevision`, up to the newest revision or a batch's fill. The
 * returned revision is the last one read. Throws RevisionCompactedError, and StoreDamagedError when the next change is
 * damaged.
 */
export function readChanges(
  environment: Environment,
  prefix: Buffer,
  afterRevision: number,
  maxBatchBytes: number = defaultMaxBatchBytes,
): WatchBatch {
  environment.tables.root.resetReadTxn();
  const reader = new Reader(environment);
  const state = reader.state();
  if (afterRevision < state.compactRevision) {
    throw new RevisionCompactedError(state.compactRevision);
  }
  const events: StoreEvent[] = [];
  const last = Math.min(state.revision, afterRevision + maxBatchRecords);
  let bytes = 0;
  let revision = afterRevision;
  while (revision < last && bytes < maxBatchBytes) {
    let record: LogRecord | undefined;
    try {
      record = reader.record(revision + 1);
      if (record !== undefined && hasPrefix(record, prefix)) {
        bytes += record.length;
        events.push(readEvent(reader, record, revision + 1));
      }
    } catch (error) {
      if (revision > afterRevision) {
        break; // first what is whole; the next batch begins with the damage
      }
      throw error;
    }
    revision++;
  }
  return { events, revision: Math.max(revision, afterRevision) };
}

function hasPrefix(record: LogRecord, prefix: Buffer): boolean {
  return (
    prefix.length <= record.keyLength &&
    record.bytes.compare(prefix, 0, prefix.length, logHeaderBytes, logHeaderBytes + prefix.length) === 0
  );
}

function readEvent(reader: Reader, record: LogRecord, revision: number): StoreEvent {
  const key = reader.keyOf(record);
  const { isPut, previousRevision, createRevision, expiresAtMs } = record;
  const value = isPut ? reader.valueOf(record) : undefined;
  const previous = previousRevision > 0 ? reader.keyValue(key, previousRevision) : undefined;
  if (value !== undefined) {
    return expiresAtMs > 0
      ? { type: "put", key, revision, createRevision, value, previous, expiresAtMs }
      : { type: "put", key, revision, createRevision, value, previous };
  }
  if (previous === undefined) {
    throw reader.damaged({ key, revision, detail: "the log has a delete without a predecessor" });
  }
  return { type: "delete", key, revision, previous };
}
