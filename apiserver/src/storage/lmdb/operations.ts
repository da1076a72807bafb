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
import type { PendingWrites } from "./pending-writes.js";
import type { Reader } from "./reader.js";
import { writeDelete, writePut } from "./write-change.js";

const probeKey = Buffer.from("probe");

/** A step of purging runs on the event loop and shares its transaction with writes. */
const purgeStepRevisions = 512;
const purgeStepMs = 3;

/** The group of operations that are committed together, as an operation sees it. */
export interface OperationGroup {
  /** Reads what is committed and what the operations before it write. */
  readonly reader: Reader;
  /** Gets what the operation writes. */
  readonly writes: PendingWrites;
  /** The state, to be advanced by the operation; it is written at the end of the group. */
  readonly state: StoreState;
  /** Gets the changes, when commits are followed. */
  readonly events: KeyChange[] | undefined;
}

/**
 * One change, committed together with others. It is run again, from the start, when another process has written before
 * the group could be. It may throw StoreDamagedError, which is its own result only, as long as it has not changed
 * anything, the state of the group included.
 */
export type Operation<T> = (group: OperationGroup) => T;

/** Makes the operation of `Store.put`; `expiresAtMs` is 0 for a key that stays. */
export function putOperation(
  key: string,
  keyBytes: Buffer,
  value: Buffer,
  expectedRevision: number,
  expiresAtMs: number,
): Operation<WriteResult> {
  return (group) => {
    const { reader, state, events } = group;
    const head = reader.head(keyBytes);
    if ((head?.modRevision ?? 0) !== expectedRevision) {
      return { succeeded: false, current: currentOf(reader, key, head) };
    }
    const previous = events === undefined || head === undefined ? undefined : reader.keyVersion(key, head.modRevision);
    const revision = ++state.revision;
    writePut(group, revision, 0, { key, keyBytes, value, head, previous, expiresAtMs, lease: 0n });
    return { succeeded: true, revision };
  };
}

/** Makes the operation of `Store.delete`. */
export function deleteOperation(key: string, keyBytes: Buffer, expectedRevision: number): Operation<WriteResult> {
  return (group) => {
    const { reader } = group;
    const head = reader.head(keyBytes);
    if (head === undefined || head.modRevision !== expectedRevision) {
      return { succeeded: false, current: currentOf(reader, key, head) };
    }
    return { succeeded: true, revision: deleteLiveKey(group, keyBytes, head) };
  };
}

/** Deletes the key that an entry of the expiry table names, if the key's own head says the same. */
export function expireOperation(expiryKey: Buffer): Operation<void> {
  return (group) => {
    const { reader, writes } = group;
    const modRevision = reader.expiryEntry(expiryKey);
    if (modRevision === undefined) {
      return; // another process was quicker, or the key has been written again
    }
    const keyBytes = expiryKey.subarray(8);
    const head = reader.head(keyBytes);
    if (head?.modRevision === modRevision && head.expiresAtMs === readInteger(expiryKey, 0)) {
      deleteLiveKey(group, keyBytes, head);
    } else {
      writes.remove("expiry", expiryKey);
    }
  };
}

/** Makes reads below `revision` fail, unless it is in the future; the history itself goes by purgeOperation. */
export function compactOperation(revision: number): Operation<StoreState> {
  return ({ state }) => {
    if (revision <= state.revision) {
      state.compactRevision = Math.max(state.compactRevision, revision);
    }
    return { ...state };
  };
}

/** Drops history that no reader can need any more, for some milliseconds; returns true when all is dropped. */
export function purgeOperation(): Operation<boolean> {
  return ({ reader, writes, state }) => {
    const endsAt = performance.now() + purgeStepMs;
    const last = Math.min(state.compactRevision, state.purgedRevision + purgeStepRevisions);
    while (state.purgedRevision < last && performance.now() < endsAt) {
      purgeRevision(reader, writes, ++state.purgedRevision);
    }
    return state.purgedRevision >= state.compactRevision;
  };
}

/** Drops what the changes of one revision have superseded, and those that are deletions. */
function purgeRevision(reader: Reader, writes: PendingWrites, revision: number): void {
  const record = unlessDamaged(() => reader.record(revision));
  if (record === undefined) {
    return; // the first revision, which no write made, or one that cannot be read, and stays
  }
  const { isFollowed } = record;
  purgeChange(writes, record, encodeInteger(revision));
  if (isFollowed) {
    for (const key of unlessDamaged(() => reader.furtherKeys(revision)) ?? []) {
      const further = unlessDamaged(() => reader.furtherRecord(revision, key));
      if (further !== undefined) {
        purgeChange(writes, further, encodeFurtherKey(revision, key));
      }
    }
  }
}

function purgeChange(writes: PendingWrites, record: LogRecord, logKey: Buffer): void {
  const { previousRevision, isPreviousFurther, isPut, bytes, keyLength } = record;
  if (previousRevision > 0) {
    const key = Buffer.from(bytes.subarray(logHeaderBytes, logHeaderBytes + keyLength));
    writes.remove("log", isPreviousFurther ? encodeFurtherKey(previousRevision, key) : encodeInteger(previousRevision));
    writes.remove("history", encodeHistoryKey(key, previousRevision));
  }
  if (!isPut) {
    writes.remove("log", logKey);
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
  return ({ writes }) => {
    if (bytes > 0) {
      writes.put("meta", probeKey, Buffer.alloc(bytes));
    } else {
      writes.remove("meta", probeKey);
    }
  };
}

function deleteLiveKey(group: OperationGroup, keyBytes: Buffer, head: KeyHead): number {
  const { reader, state, events } = group;
  const key = keyBytes.toString();
  const previous = events === undefined ? undefined : reader.keyVersion(key, head.modRevision);
  const revision = ++state.revision;
  writeDelete(group, revision, 0, { key, keyBytes, head, previous });
  return revision;
}

function currentOf(reader: Reader, key: string, head: KeyHead | undefined): KeyValue | undefined {
  return head === undefined ? undefined : reader.keyValue(key, head.modRevision);
}
