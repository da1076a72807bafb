import { RevisionCompactedError } from "../../errors/errors.js";
import type { ChangeBatch, ChangesWanted, KeyChange, KeyInterval } from "../keyspace.js";
import type { Environment } from "./environment.js";
import { isWithin } from "./key-interval.js";
import { type LogRecord, logHeaderBytes, type StoreState } from "./layout.js";
import { Reader } from "./reader.js";

/** A batch ends after so many revisions, or so many bytes of values; the reader asks for the next when it is ready. */
const maxBatchRevisions = 1024;
const defaultMaxBatchBytes = 4 * 2 ** 20;

/** The changes to read, and whether those of the compact revision are, as far as they are still there. */
export interface LoggedChangesWanted extends ChangesWanted {
  readonly fromCompactRevision?: boolean;
}

/**
 * Reads the changes of some keys after `afterRevision`, up to the newest revision or a batch's fill. The returned
 * revision is the last one read. Throws RevisionCompactedError, and StoreDamagedError when the next change is damaged.
 */
export function readChanges(environment: Environment, wanted: LoggedChangesWanted): ChangeBatch {
  const { afterRevision, maxBatchBytes = defaultMaxBatchBytes, fromCompactRevision = false } = wanted;
  environment.tables.root.resetReadTxn();
  const reader = new Reader(environment);
  const state = reader.state();
  if (afterRevision < state.compactRevision - (fromCompactRevision ? 1 : 0)) {
    throw new RevisionCompactedError(state.compactRevision);
  }
  const events: KeyChange[] = [];
  const last = Math.min(state.revision, afterRevision + maxBatchRevisions);
  let bytes = 0;
  let revision = afterRevision;
  while (revision < last && bytes < maxBatchBytes) {
    try {
      bytes += readRevision(reader, state, revision + 1, wanted.keys, events);
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

/** Adds the wanted changes of one revision to `events`; returns their size in bytes. */
function readRevision(
  reader: Reader,
  state: StoreState,
  revision: number,
  keys: KeyInterval,
  events: KeyChange[],
): number {
  const record = reader.record(revision);
  // What is superseded is gone, the first record of a transaction perhaps before the others.
  const hasOthers = record === undefined ? revision <= state.compactRevision : record.isFollowed;
  const found: KeyChange[] = [];
  let bytes = 0;
  const add = (one: LogRecord | undefined): void => {
    if (one !== undefined && isWithin(keys, one.bytes, logHeaderBytes, logHeaderBytes + one.keyLength)) {
      bytes += one.length;
      const event = readEvent(reader, state, one, revision);
      if (event !== undefined) {
        found.push(event);
      }
    }
  };
  add(record);
  if (hasOthers) {
    for (const key of reader.furtherKeys(revision)) {
      add(reader.furtherRecord(revision, key));
    }
  }
  events.push(...found);
  return bytes;
}

function readEvent(reader: Reader, state: StoreState, record: LogRecord, revision: number): KeyChange | undefined {
  const key = reader.keyOf(record);
  const { isPut, previousRevision, createRevision, version, lease, expiresAtMs } = record;
  const value = isPut ? reader.valueOf(record) : undefined;
  const isCompacted = revision <= state.compactRevision;
  const previous = previousRevision > 0 && !isCompacted ? reader.keyVersion(key, previousRevision) : undefined;
  if (value !== undefined) {
    const put = { type: "put", key, revision, createRevision, value, version, lease, previous } as const;
    return expiresAtMs > 0 ? { ...put, expiresAtMs } : put;
  }
  if (previous === undefined) {
    if (isCompacted) {
      return undefined; // compaction forgets deletions, this one a little later
    }
    throw reader.damaged({ key, revision, detail: "the log has a delete without a predecessor" });
  }
  return { type: "delete", key, revision, previous };
}
