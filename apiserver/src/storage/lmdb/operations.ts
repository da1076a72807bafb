import { StoreDamagedError } from "../../errors/errors.js";
import type { KeyValue, StoreEvent, WriteResult } from "../store.js";
import {
  encodeExpiryKey,
  encodeHistoryKey,
  encodeInteger,
  encodeKeyHead,
  encodeLogRecord,
  encodeSuperseded,
  type KeyHead,
  logDelete,
  logExpiringPut,
  logHeaderBytes,
  logPut,
  readInteger,
  type StoreState,
} from "./layout.js";
import type { LogRecord, Reader } from "./reader.js";

const probeKey = Buffer.from("probe");

/** A step of purging runs on the event loop and shares its transaction with writes. */
const purgeStepRevisions = 512;
const purgeStepMs = 3;

/**
 * One change, run inside a write transaction of the environment together with others. It may read through `reader` the
 * writes of the operations before it, and it advances `state`, which is written at the end of the transaction. It adds
 * its changes to `events`, when commits are followed. It may throw StoreDamagedError, which is its own result only, as
 * long as it has not changed anything, `state` included.
 */
export type Operation<T> = (reader: Reader, state: StoreState, events: StoreEvent[] | undefined) => T;

/** Makes the operation of `Store.put`; `expiresAtMs` is 0 for a key that stays. */
export function putOperation(
  key: string,
  keyBytes: Buffer,
  value: Buffer,
  expectedRevision: number,
  expiresAtMs: number,
): Operation<WriteResult> {
  return (reader, state, events) => {
    const head = reader.head(keyBytes);
    if ((head?.modRevision ?? 0) !== expectedRevision) {
      return { succeeded: false, current: currentOf(reader, key, head) };
    }
    const previous = events === undefined ? undefined : currentOf(reader, key, head);
    const revision = ++state.revision;
    const createRevision = head?.createRevision ?? revision;
    const { keys, expiry } = reader.tables;
    const isExpiring = expiresAtMs > 0;
    events?.push({
      type: "put",
      key,
      revision,
      createRevision,
      value,
      previous,
      ...(isExpiring ? { expiresAtMs } : {}),
    });
    supersede(reader, keyBytes, head, revision);
    keys.putSync(keyBytes, encodeKeyHead(revision, createRevision, expiresAtMs));
    const type = isExpiring ? logExpiringPut : logPut;
    const record = encodeLogRecord(revision, type, expectedRevision, createRevision, keyBytes, value, expiresAtMs);
    appendToLog(reader, revision, record);
    if (isExpiring) {
      expiry.putSync(encodeExpiryKey(expiresAtMs, keyBytes), encodeInteger(revision));
    }
    return { succeeded: true, revision };
  };
}

/** Makes the operation of `Store.delete`. */
export function deleteOperation(key: string, keyBytes: Buffer, expectedRevision: number): Operation<WriteResult> {
  return (reader, state, events) => {
    const head = reader.head(keyBytes);
    if (head === undefined || head.modRevision !== expectedRevision) {
      return { succeeded: false, current: currentOf(reader, key, head) };
    }
    return { succeeded: true, revision: deleteLiveKey(reader, state, events, keyBytes, head) };
  };
}

/** Deletes the key that an entry of the expiry table names, if the key's own head says the same. */
export function expireOperation(expiryKey: Buffer): Operation<void> {
  return (reader, state, events) => {
    const { expiry } = reader.tables;
    const modRevision = expiry.getBinary(expiryKey);
    if (modRevision === undefined) {
      return; // another process was quicker, or the key has been written again
    }
    const keyBytes = expiryKey.subarray(8);
    const head = reader.head(keyBytes);
    if (head?.modRevision === readInteger(modRevision, 0) && head.expiresAtMs === readInteger(expiryKey, 0)) {
      deleteLiveKey(reader, state, events, keyBytes, head);
    } else {
      expiry.removeSync(expiryKey);
    }
  };
}

/** Makes reads below `revision` fail, unless it is in the future; the history itself goes by purgeOperation. */
export function compactOperation(revision: number): Operation<StoreState> {
  return (_reader, state) => {
    if (revision <= state.revision) {
      state.compactRevision = Math.max(state.compactRevision, revision);
    }
    return { ...state };
  };
}

/** Drops history that no reader can need any more, for some milliseconds; returns true when all is dropped. */
export function purgeOperation(): Operation<boolean> {
  return (reader, state) => {
    const { log, history } = reader.tables;
    const endsAt = performance.now() + purgeStepMs;
    const last = Math.min(state.compactRevision, state.purgedRevision + purgeStepRevisions);
    while (state.purgedRevision < last && performance.now() < endsAt) {
      const revision = ++state.purgedRevision;
      const record = recordUnlessDamaged(reader, revision);
      if (record === undefined) {
        continue; // the first revision, which no write made, or one that cannot be read, and stays
      }
      const { previousRevision, isPut } = record;
      if (previousRevision > 0) {
        const keyBytes = copyKey(record);
        log.removeSync(encodeInteger(previousRevision));
        history.removeSync(encodeHistoryKey(keyBytes, previousRevision));
      }
      if (!isPut) {
        log.removeSync(encodeInteger(revision));
      }
    }
    return state.purgedRevision >= state.compactRevision;
  };
}

function recordUnlessDamaged(reader: Reader, revision: number): LogRecord | undefined {
  try {
    return reader.record(revision);
  } catch (error) {
    if (error instanceof StoreDamagedError) {
      return undefined;
    }
    throw error;
  }
}

/** Writes a value of `bytes` bytes, or removes it when that is 0, to learn whether writes work. */
export function probeOperation(bytes: number): Operation<void> {
  return ({ tables: { meta } }) => {
    if (bytes > 0) {
      meta.putSync(probeKey, Buffer.alloc(bytes));
    } else {
      meta.removeSync(probeKey);
    }
  };
}

function deleteLiveKey(
  reader: Reader,
  state: StoreState,
  events: StoreEvent[] | undefined,
  keyBytes: Buffer,
  head: KeyHead,
): number {
  const key = keyBytes.toString();
  const previous = events === undefined ? undefined : reader.keyValue(key, head.modRevision);
  const revision = ++state.revision;
  if (previous !== undefined) {
    events?.push({ type: "delete", key, revision, previous });
  }
  supersede(reader, keyBytes, head, revision);
  reader.tables.keys.removeSync(keyBytes);
  const record = encodeLogRecord(revision, logDelete, head.modRevision, head.createRevision, keyBytes, undefined);
  appendToLog(reader, revision, record);
  return revision;
}

/** Moves the key's old version to the history. */
function supersede(reader: Reader, keyBytes: Buffer, head: KeyHead | undefined, revision: number): void {
  if (head === undefined) {
    return;
  }
  const { history, expiry } = reader.tables;
  history.putSync(encodeHistoryKey(keyBytes, head.modRevision), encodeSuperseded(revision));
  if (head.expiresAtMs > 0) {
    expiry.removeSync(encodeExpiryKey(head.expiresAtMs, keyBytes));
  }
}

function appendToLog(reader: Reader, revision: number, record: Buffer): void {
  // Appending fills pages to the brim where inserting would leave them half empty.
  const options = { append: true } as unknown as number;
  const appended: unknown = reader.tables.log.putSync(encodeInteger(revision), record, options);
  if (appended === false) {
    throw new Error(`the store's log already has a revision after ${revision}`);
  }
}

function currentOf(reader: Reader, key: string, head: KeyHead | undefined): KeyValue | undefined {
  return head === undefined ? undefined : reader.keyValue(key, head.modRevision);
}

function copyKey(record: LogRecord): Buffer {
  return Buffer.from(record.bytes.subarray(logHeaderBytes, logHeaderBytes + record.keyLength));
}
