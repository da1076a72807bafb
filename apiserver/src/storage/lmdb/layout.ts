import { checksumBytes, seal } from "./checksum.js";

/**
 * The binary layout of the tables. Integers are big-endian so that LMDB's byte order is number order. Changing anything
 * here means a new formatVersion. Values marked * end with a checksum (see checksum.ts).
 *
 *   meta      "format" -> version;  "state" -> revision, compact revision, purged revision *
 *             "probe" -> anything: what was written to see whether writes work
 *             "identity" -> cluster, member: random numbers
 *             "commits" -> a double, little-endian, that grows with each commit: who prepares a commit writes it only if
 *             nobody else has written since. Absent before the first, and in files of former releases
 *   keys      key -> modification revision, creation revision, expiry time (milliseconds since 1970, 0: never), version,
 *             and for a key with a lease, or whose record is a further one: lease, whether the record is a further one *
 *   log       revision -> type with flags, previous revision (0: none), creation revision, key length, key, value, and
 *             as type and flags say: version; lease, place in the transaction; expiry time *
 *             revision, key -> the same, for the further changes of a transaction of several *
 *   history   key, 0x00, revision -> revision that superseded it *
 *   expiry    time, key -> modification revision
 *   leases    lease -> time to live in seconds, expiry time *
 *   leased    lease, key -> a byte
 *
 * A value is written once, into the log, and found there by its revision; an update therefore writes no old value again.
 * Entries of the tables expiry and leased need no checksum: they are obeyed only if the key's own record says the same.
 * Format 2, of former releases, is this one without versions, leases, further changes, and expiry times in the log.
 */
export const formatVersion = 3;

/** The format of former releases that is read, and becomes the newest one when it is opened. */
export const formerFormatVersion = 2;

/** Key of the format version in the `meta` table, as decimal text. */
export const formatKey = Buffer.from("format");
/** Key of the store's identity for clients of etcd in the `meta` table. */
export const identityKey = Buffer.from("identity");
/** Key of the StoreState in the `meta` table. */
export const stateKey = Buffer.from("state");
/** Key of the number of commits in the `meta` table, in the form of a version of lmdb: a double, little-endian. */
export const commitsKey = Buffer.from("commits");

/** Types of log records: the key was written, or deleted. */
export const logPut = 1;
/** The key was deleted. */
export const logDelete = 2;
/** The key was written, and expires: the record ends with the time, before its checksum. */
export const logExpiringPut = 3;

/** Length in bytes of an expiry time at the end of a log record. */
const logExpiryBytes = 8;

/** The bits of a record's first byte that are its type; the others are the flags. */
const typeBits = 0x0f;
/** The record ends with the key's version. */
const hasVersion = 0x10;
/** The record ends with the key's lease and the place of the change in its transaction, after the version. */
const hasPlace = 0x20;
/** The transaction of this record has further changes. */
const isFollowed = 0x40;
/** The previous version of the key is a further record, too. */
const previousIsFurther = 0x80;

/** Length in bytes of the part before the key in a log record. */
export const logHeaderBytes = 19;

const highWord = 2 ** 32;

/** Writes a safe, non-negative integer as eight bytes. */
export function writeInteger(target: Buffer, value: number, offset: number): void {
  target.writeUInt32BE(Math.floor(value / highWord), offset);
  target.writeUInt32BE(value >>> 0, offset + 4);
}

/** Reads an integer that writeInteger has written. */
export function readInteger(source: Buffer, offset: number): number {
  return source.readUInt32BE(offset) * highWord + source.readUInt32BE(offset + 4);
}

/** The state that a store has once; every write transaction that changes it writes it at its end. */
export interface StoreState {
  /** Newest revision. */
  revision: number;
  /** Reads below this revision fail. */
  compactRevision: number;
  /** The revision below which history is physically gone; trails the compact revision. */
  purgedRevision: number;
}

/** Returns the sealed form of the state. */
export function encodeState(state: StoreState): Buffer {
  return encodeThree(state.revision, state.compactRevision, state.purgedRevision);
}

/** Reads a sealed state; the caller has looked at the checksum. */
export function decodeState(bytes: Buffer): StoreState {
  return {
    revision: readInteger(bytes, 0),
    compactRevision: readInteger(bytes, 8),
    purgedRevision: readInteger(bytes, 16),
  };
}

/** Returns the stored form of the number of commits. */
export function encodeCommits(commits: number): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeDoubleLE(commits, 0);
  return bytes;
}

/** The facts about a live key in the `keys` table. */
export interface KeyHead {
  readonly modRevision: number;
  readonly createRevision: number;
  readonly expiresAtMs: number;
  /** Number of writes since the key was created. A key of format 2 has 1 or, after an update, 2. */
  readonly version: number;
  /** The lease that the key lives by; 0 for none. */
  readonly lease: bigint;
  /** True if its record is a further one of a transaction. */
  readonly isFurther: boolean;
}

/** Returns the sealed form of a key's head. */
export function encodeKeyHead(head: KeyHead): Buffer {
  const { lease, isFurther } = head;
  const isLong = lease !== 0n || isFurther;
  const bytes = Buffer.allocUnsafe((isLong ? 41 : 32) + checksumBytes);
  writeInteger(bytes, head.modRevision, 0);
  writeInteger(bytes, head.createRevision, 8);
  writeInteger(bytes, head.expiresAtMs, 16);
  writeInteger(bytes, head.version, 24);
  if (isLong) {
    bytes.writeBigUInt64BE(lease, 32);
    bytes[40] = isFurther ? 1 : 0;
  }
  return seal(bytes, 0);
}

function encodeThree(first: number, second: number, third: number): Buffer {
  const bytes = Buffer.allocUnsafe(24 + checksumBytes);
  writeInteger(bytes, first, 0);
  writeInteger(bytes, second, 8);
  writeInteger(bytes, third, 16);
  return seal(bytes, 0);
}

/** Reads a sealed head; the caller has looked at the checksum. */
export function decodeKeyHead(bytes: Buffer): KeyHead {
  const length = bytes.length - checksumBytes;
  const modRevision = readInteger(bytes, 0);
  const createRevision = readInteger(bytes, 8);
  return {
    modRevision,
    createRevision,
    expiresAtMs: readInteger(bytes, 16),
    version: length > 24 ? readInteger(bytes, 24) : versionBeforeFormat3(modRevision, createRevision),
    lease: length > 32 ? bytes.readBigUInt64BE(32) : 0n,
    isFurther: length > 32 && bytes[40] === 1,
  };
}

function versionBeforeFormat3(modRevision: number, createRevision: number): number {
  return modRevision === createRevision ? 1 : 2;
}

/** A change as the log keeps it. */
export interface LogChange {
  readonly type: typeof logPut | typeof logExpiringPut | typeof logDelete;
  /** The head of the key before the change; undefined when the key did not exist. */
  readonly previous: KeyHead | undefined;
  readonly createRevision: number;
  readonly key: Buffer;
  readonly value: Buffer | undefined;
  /** The key's version from now on; 0 for a deletion. */
  readonly version: number;
  /** The key's lease from now on; 0 for none. */
  readonly lease: bigint;
  /** Number of changes before this one in its transaction. */
  readonly place: number;
  /** The time at which a put of type `logExpiringPut` expires, in milliseconds since 1970; otherwise 0. */
  readonly expiresAtMs: number;
}

/**
 * Returns the sealed record of a change; its checksum is bound to `revision`, so that no record can pass for another.
 */
export function encodeLogRecord(revision: number, change: LogChange): Buffer {
  const { type, previous, key, value, version, lease, place } = change;
  const isPlaced = lease !== 0n || place > 0;
  const trailerBytes = isPlaced ? 20 : version > 0 ? 8 : 0;
  const valueEnd = logHeaderBytes + key.length + (value?.length ?? 0);
  const expiryAt = valueEnd + trailerBytes;
  const bytes = Buffer.allocUnsafe(expiryAt + (type === logExpiringPut ? logExpiryBytes : 0) + checksumBytes);
  const flags = (trailerBytes > 0 ? hasVersion : 0) | (isPlaced ? hasPlace : 0);
  bytes[0] = type | flags | (previous?.isFurther === true ? previousIsFurther : 0);
  writeInteger(bytes, previous?.modRevision ?? 0, 1);
  writeInteger(bytes, change.createRevision, 9);
  bytes.writeUInt16BE(key.length, 17);
  key.copy(bytes, logHeaderBytes);
  value?.copy(bytes, logHeaderBytes + key.length);
  if (trailerBytes > 0) {
    writeInteger(bytes, version, valueEnd);
  }
  if (isPlaced) {
    bytes.writeBigUInt64BE(lease, valueEnd + 8);
    bytes.writeUInt32BE(place, valueEnd + 16);
  }
  if (type === logExpiringPut) {
    writeInteger(bytes, change.expiresAtMs, expiryAt);
  }
  return seal(bytes, revision);
}

/** A log record without its value. Valid only as long as its bytes are. */
export interface LogRecord {
  /** The bytes of the record, in LMDB's own buffer, which changes with the next read. */
  readonly bytes: Buffer;
  readonly length: number;
  readonly isPut: boolean;
  readonly previousRevision: number;
  readonly createRevision: number;
  readonly keyLength: number;
  /** Index of the first byte after the value. */
  readonly valueEnd: number;
  readonly version: number;
  readonly lease: bigint;
  readonly place: number;
  /** The time at which the version expires, in milliseconds since 1970; 0: never, or unknown (format 2). */
  readonly expiresAtMs: number;
  /** True if the transaction has further changes. */
  readonly isFollowed: boolean;
  readonly isPreviousFurther: boolean;
}

/** Reads the sealed record of `length` bytes of `revision`; the caller has looked at the checksum. */
export function decodeLogRecord(revision: number, bytes: Buffer, length: number): LogRecord {
  const first = bytes[0] as number;
  const isPlaced = (first & hasPlace) !== 0;
  const isVersioned = (first & hasVersion) !== 0;
  const type = first & typeBits;
  const isExpiring = type === logExpiringPut;
  const trailerEnd = length - checksumBytes - (isExpiring ? logExpiryBytes : 0);
  const valueEnd = trailerEnd - (isPlaced ? 20 : isVersioned ? 8 : 0);
  const createRevision = readInteger(bytes, 9);
  const isPut = isExpiring || type === logPut;
  return {
    bytes,
    length,
    isPut,
    previousRevision: readInteger(bytes, 1),
    createRevision,
    keyLength: bytes.readUInt16BE(17),
    valueEnd,
    version: isVersioned ? readInteger(bytes, valueEnd) : isPut ? versionBeforeFormat3(revision, createRevision) : 0,
    lease: isPlaced ? bytes.readBigUInt64BE(valueEnd + 8) : 0n,
    place: isPlaced ? bytes.readUInt32BE(valueEnd + 16) : 0,
    expiresAtMs: isExpiring ? readInteger(bytes, trailerEnd) : 0,
    isFollowed: (first & isFollowed) !== 0,
    isPreviousFurther: (first & previousIsFurther) !== 0,
  };
}

/** Returns a copy of a record that says that its transaction has further changes. */
export function markFollowed(revision: number, record: Buffer): Buffer {
  const bytes = Buffer.from(record);
  bytes[0] = (bytes[0] as number) | isFollowed;
  return seal(bytes, revision);
}

/** Returns the key of a further record of `revision` in the log. */
export function encodeFurtherKey(revision: number, key: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(8 + key.length);
  writeInteger(bytes, revision, 0);
  key.copy(bytes, 8);
  return bytes;
}

/** A lease as the store keeps it. */
export interface LeaseRecord {
  readonly ttlSeconds: number;
  readonly expiresAtMs: number;
}

/** Returns the sealed form of a lease. */
export function encodeLease({ ttlSeconds, expiresAtMs }: LeaseRecord): Buffer {
  const bytes = Buffer.allocUnsafe(16 + checksumBytes);
  writeInteger(bytes, ttlSeconds, 0);
  writeInteger(bytes, expiresAtMs, 8);
  return seal(bytes, 0);
}

/** Reads a sealed lease; the caller has looked at the checksum. */
export function decodeLease(bytes: Buffer): LeaseRecord {
  return { ttlSeconds: readInteger(bytes, 0), expiresAtMs: readInteger(bytes, 8) };
}

/** Returns the key of a lease. */
export function encodeLeaseKey(lease: bigint): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigUInt64BE(lease, 0);
  return bytes;
}

/** Returns the key of the entry that a key lives by a lease. */
export function encodeLeasedKey(lease: bigint, key: Buffer): Buffer {
  return Buffer.concat([encodeLeaseKey(lease), key]);
}

/** Returns the key of the history entry for the version that `revision` wrote. */
export function encodeHistoryKey(key: Buffer, revision: number): Buffer {
  const bytes = Buffer.allocUnsafe(key.length + 9);
  key.copy(bytes);
  bytes[key.length] = 0;
  writeInteger(bytes, revision, key.length + 1);
  return bytes;
}

/** Returns the sealed value of a history entry: the revision that superseded the version. */
export function encodeSuperseded(revision: number): Buffer {
  const bytes = Buffer.allocUnsafe(8 + checksumBytes);
  writeInteger(bytes, revision, 0);
  return seal(bytes, 0);
}

/** Returns the length of the key inside a history key, and where its revision starts. */
export function historyKeyLength(historyKey: Uint8Array): number {
  return historyKey.length - 9;
}

/** Returns the key of an expiry entry: first the time, so that due entries come first. */
export function encodeExpiryKey(expiresAtMs: number, key: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(8 + key.length);
  writeInteger(bytes, expiresAtMs, 0);
  key.copy(bytes, 8);
  return bytes;
}

/** Encodes a safe, non-negative integer as eight bytes; also the key of a log record. */
export function encodeInteger(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  writeInteger(bytes, value, 0);
  return bytes;
}

/** Returns the first byte string after all those that start with `prefix`; undefined when there is none. */
export function prefixEnd(prefix: Buffer): Buffer | undefined {
  for (let i = prefix.length - 1; i >= 0; i--) {
    const byte = prefix[i] as number;
    if (byte < 0xff) {
      const end = Buffer.from(prefix.subarray(0, i + 1));
      end[i] = byte + 1;
      return end;
    }
  }
  return undefined;
}
