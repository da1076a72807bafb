import type { KeyChange, KeyVersion } from "../keyspace.js";
import {
  encodeExpiryKey,
  encodeFurtherKey,
  encodeHistoryKey,
  encodeInteger,
  encodeKeyHead,
  encodeLeasedKey,
  encodeLogRecord,
  encodeSuperseded,
  type KeyHead,
  type LogChange,
  logDelete,
  logExpiringPut,
  logPut,
  markFollowed,
} from "./layout.js";
import type { PendingWrites } from "./pending-writes.js";

/** The parts of a group of operations that get a change: its writes, and, when commits are followed, its event. */
interface ChangedGroup {
  readonly writes: PendingWrites;
  readonly events: KeyChange[] | undefined;
}

/** A key before it is changed. */
interface ChangedKey {
  readonly key: string;
  readonly keyBytes: Buffer;
  /** The head of the key; undefined when it does not exist. */
  readonly head: KeyHead | undefined;
  /** The key as it was, for the event; needed only when commits are followed. */
  readonly previous: KeyVersion | undefined;
}

/** A write of a key. */
export interface PutChange extends ChangedKey {
  readonly value: Buffer;
  /** The time at which the key goes by itself; 0 for a key that stays. */
  readonly expiresAtMs: number;
  readonly lease: bigint;
}

/**
 * Writes a key into all tables, and adds the event; `place` is the number of changes before it in the same transaction,
 * which has `revision`.
 */
export function writePut({ writes, events }: ChangedGroup, revision: number, place: number, change: PutChange): void {
  const { key, keyBytes, head, previous, value, expiresAtMs, lease } = change;
  const createRevision = head?.createRevision ?? revision;
  const version = (head?.version ?? 0) + 1;
  const isExpiring = expiresAtMs > 0;
  if (events !== undefined) {
    const put = { type: "put", key, revision, createRevision, value, version, lease, previous } as const;
    events.push(isExpiring ? { ...put, expiresAtMs } : put);
  }
  supersede(writes, keyBytes, head, revision);
  const isFurther = place > 0;
  writes.put(
    "keys",
    keyBytes,
    encodeKeyHead({ modRevision: revision, createRevision, expiresAtMs, version, lease, isFurther }),
  );
  appendToLog(writes, revision, {
    type: isExpiring ? logExpiringPut : logPut,
    previous: head,
    createRevision,
    key: keyBytes,
    value,
    version,
    lease,
    place,
    expiresAtMs,
  });
  if (isExpiring) {
    writes.put("expiry", encodeExpiryKey(expiresAtMs, keyBytes), encodeInteger(revision));
  }
  if (lease !== 0n) {
    writes.put("leased", encodeLeasedKey(lease, keyBytes), Buffer.of(1));
  }
}

/** A deletion of a key that exists. */
export interface DeleteChange extends ChangedKey {
  readonly head: KeyHead;
}

/** Deletes a key from all tables, and adds the event; `revision` and `place` are as for `writePut`. */
export function writeDelete(
  { writes, events }: ChangedGroup,
  revision: number,
  place: number,
  change: DeleteChange,
): void {
  const { key, keyBytes, head, previous } = change;
  if (previous !== undefined) {
    events?.push({ type: "delete", key, revision, previous });
  }
  supersede(writes, keyBytes, head, revision);
  writes.remove("keys", keyBytes);
  const { createRevision } = head;
  appendToLog(writes, revision, {
    type: logDelete,
    previous: head,
    createRevision,
    key: keyBytes,
    value: undefined,
    version: 0,
    lease: 0n,
    place,
    expiresAtMs: 0,
  });
}

/** Moves the key's old version to the history. */
function supersede(writes: PendingWrites, keyBytes: Buffer, head: KeyHead | undefined, revision: number): void {
  if (head === undefined) {
    return;
  }
  writes.put("history", encodeHistoryKey(keyBytes, head.modRevision), encodeSuperseded(revision));
  if (head.expiresAtMs > 0) {
    writes.remove("expiry", encodeExpiryKey(head.expiresAtMs, keyBytes));
  }
  if (head.lease !== 0n) {
    writes.remove("leased", encodeLeasedKey(head.lease, keyBytes));
  }
}

function appendToLog(writes: PendingWrites, revision: number, change: LogChange): void {
  const record = encodeLogRecord(revision, change);
  if (change.place === 0) {
    // Appending fills pages to the brim where inserting would leave them half empty.
    writes.append("log", encodeInteger(revision), record);
    return;
  }
  if (change.place === 1) {
    const first = writes.newest("log", encodeInteger(revision))?.value as Buffer;
    writes.put("log", encodeInteger(revision), markFollowed(revision, first));
  }
  writes.put("log", encodeFurtherKey(revision, change.key), record);
}
