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
import type { Reader } from "./reader.js";

/** The place of a change: its revision, and the number of changes before it in the same transaction. */
export interface ChangePlace {
  readonly reader: Reader;
  readonly revision: number;
  readonly place: number;
  /** Gets the change, when commits are followed. */
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

/** Writes a key into all tables, and adds the event. */
export function writePut({ reader, revision, place, events }: ChangePlace, change: PutChange): void {
  const { key, keyBytes, head, previous, value, expiresAtMs, lease } = change;
  const createRevision = head?.createRevision ?? revision;
  const version = (head?.version ?? 0) + 1;
  const { keys, expiry, leased } = reader.tables;
  const isExpiring = expiresAtMs > 0;
  if (events !== undefined) {
    const put = { type: "put", key, revision, createRevision, value, version, lease, previous } as const;
    events.push(isExpiring ? { ...put, expiresAtMs } : put);
  }
  supersede(reader, keyBytes, head, revision);
  const isFurther = place > 0;
  keys.putSync(
    keyBytes,
    encodeKeyHead({ modRevision: revision, createRevision, expiresAtMs, version, lease, isFurther }),
  );
  appendToLog(reader, revision, {
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
    expiry.putSync(encodeExpiryKey(expiresAtMs, keyBytes), encodeInteger(revision));
  }
  if (lease !== 0n) {
    leased.putSync(encodeLeasedKey(lease, keyBytes), Buffer.of(1));
  }
}

/** A deletion of a key that exists. */
export interface DeleteChange extends ChangedKey {
  readonly head: KeyHead;
}

/** Deletes a key from all tables, and adds the event. */
export function writeDelete({ reader, revision, place, events }: ChangePlace, change: DeleteChange): void {
  const { key, keyBytes, head, previous } = change;
  if (previous !== undefined) {
    events?.push({ type: "delete", key, revision, previous });
  }
  supersede(reader, keyBytes, head, revision);
  reader.tables.keys.removeSync(keyBytes);
  const { createRevision } = head;
  appendToLog(reader, revision, {
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
function supersede(reader: Reader, keyBytes: Buffer, head: KeyHead | undefined, revision: number): void {
  if (head === undefined) {
    return;
  }
  const { history, expiry, leased } = reader.tables;
  history.putSync(encodeHistoryKey(keyBytes, head.modRevision), encodeSuperseded(revision));
  if (head.expiresAtMs > 0) {
    expiry.removeSync(encodeExpiryKey(head.expiresAtMs, keyBytes));
  }
  if (head.lease !== 0n) {
    leased.removeSync(encodeLeasedKey(head.lease, keyBytes));
  }
}

function appendToLog(reader: Reader, revision: number, change: LogChange): void {
  const { log } = reader.tables;
  const record = encodeLogRecord(revision, change);
  if (change.place > 0) {
    if (change.place === 1) {
      const first = log.getBinary(encodeInteger(revision)) as Buffer;
      log.putSync(encodeInteger(revision), markFollowed(revision, first));
    }
    log.putSync(encodeFurtherKey(revision, change.key), record);
    return;
  }
  // Appending fills pages to the brim where inserting would leave them half empty.
  const options = { append: true } as unknown as number;
  const appended: unknown = log.putSync(encodeInteger(revision), record, options);
  if (appended === false) {
    throw new Error(`the store's log already has a revision after ${revision}`);
  }
}
