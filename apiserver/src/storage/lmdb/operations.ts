import { StoreDamagedError } from "../../errors/errors.js";
import type { KeyChange } from "../keyspace.js";
import type { KeyValue, WriteResult } from "../store.js";
import {
  encodeFurtherKey,
  encodeHistoryKey,
  encodeInteger,
  type KeyHead,
  type LogRecord,
  logHeaderBytes,
  readInteger,
  type StoreState,
} from "./layout.js";
import type { Reader } from "./reader.js";
import { writeDelete, writePut } from "./write-change.js";

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
export type Operation<T> = (reader: Reader, state: StoreState, events: KeyChange[] | undefined) => T;

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
    const previous = events === undefined || head === undefined ? undefined : reader.keyVersion(key, head.modRevision);
    const revision = ++state.revision;
    writePut({ reader, revision, place: 0, events }, { key, keyBytes, value, head, previous, expiresAtMs, lease: 0n });
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
    const endsAt = performance.now() + purgeStepMs;
    const last = Math.min(state.compactRevision, state.purgedRevision + purgeStepRevisions);
    while (state.purgedRevision < last && performance.now() < endsAt) {
      purgeRevision(reader, ++state.purgedRevision);
    }
    return state.purgedRevision >= state.compactRevision;
  };
}

/** Drops what the changes of one revision have superseded, and those that are deletions. */
function purgeRevision(reader: Reader, revision: number): void {
  const record = unlessDamaged(() => reader.record(revision));
  if (record === undefined) {
    return; // the first revision, which no write made, or one that cannot be read, and stays
  }
  const { isFollowed } = record;
  purgeChange(reader, record, encodeInteger(revision));
  if (isFollowed) {
    for (const key of unlessDamaged(() => reader.furtherKeys(revision)) ?? []) {
      const further = unlessDamaged(() => reader.furtherRecord(revision, key));
      if (further !== undefined) {
        purgeChange(reader, further, encodeFurtherKey(revision, key));
      }
    }
  }
}

function purgeChange(reader: Reader, record: LogRecord, logKey: Buffer): void {
  const { log, history } = reader.tables;
  const { previousRevision, isPreviousFurther, isPut, bytes, keyLength } = record;
  if (previousRevision > 0) {
    const key = Buffer.from(bytes.subarray(logHeaderBytes, logHeaderBytes + keyLength));
    log.removeSync(isPreviousFurther ? encodeFurtherKey(previousRevision, key) : encodeInteger(previousRevision));
    history.removeSync(encodeHistoryKey(key, previousRevision));
  }
  if (!isPut) {
    log.removeSync(logKey);
  }
}

function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read();
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
  events: KeyChange[] | undefined,
  keyBytes: Buffer,
  head: KeyHead,
): number {
  const key = keyBytes.toString();
  const previous = events === undefined ? undefined : reader.keyVersion(key, head.modRevision);
  const revision = ++state.revision;
  writeDelete({ reader, revision, place: 0, events }, { key, keyBytes, head, previous });
  return revision;
}

function currentOf(reader: Reader, key: string, head: KeyHead | undefined): KeyValue | undefined {
  return head === undefined ? undefined : reader.keyValue(key, head.modRevision);
}
