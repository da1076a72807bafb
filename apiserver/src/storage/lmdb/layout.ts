import { checksumBytes, seal } from "./checksum.js";

/**
 * The binary layout of the tables. Integers are big-endian so that LMDB's byte order is number order. Changing anything
 * here means a new formatVersion. Values marked * end with a checksum (see checksum.ts).
 *
 *   meta      "format" -> version;  "state" -> revision, compact revision, purged revision *
 *             "probe" -> anything: what was written to see whether writes work
 *   keys      key -> modification revision, creation revision, expiry time (milliseconds since 1970, 0: never) *
 *   log       revision -> type, previous revision (0: none), creation revision, key length, key, value,
 *             expiry time (only of a put that expires) *
 *   history   key, 0x00, revision -> revision that superseded it *
 *   expiry    time, key -> modification revision
 *
 * A value is written once, into the log, and found there by its revision; an update therefore writes no old value again.
 * An entry of the expiry table needs no checksum: it is obeyed only if the key's own record says the same.
 */
export const formatVersion = 3;

/** The format before: the same, but no record of the log has an expiry time. Such data becomes format 3 when it is opened. */
export const formerFormatVersion = 2;

/** Key of the format version in the `meta` table, as decimal text. */
export const formatKey = Buffer.from("format");
/** Key of the StoreState in the `meta` table. */
export const stateKey = Buffer.from("state");

/** Types of log records: the key was written, or deleted. */
export const logPut = 1;
/** The key was deleted. */
export const logDelete = 2;
/** The key was written, and expires: the record ends with the time, before its checksum. */
export const logExpiringPut = 3;

/** Length in bytes of an expiry time at the end of a log record. */
export const logExpiryBytes = 8;

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

/** The facts about a live key in the `keys` table. */
export interface KeyHead {
  readonly modRevision: number;
  readonly createRevision: number;
  readonly expiresAtMs: number;
}

/** Returns the sealed form of a key's head. */
export function encodeKeyHead(modRevision: number, createRevision: number, expiresAtMs: number): Buffer {
  return encodeThree(modRevision, createRevision, expiresAtMs);
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
  return {
    modRevision: readInteger(bytes, 0),
    createRevision: readInteger(bytes, 8),
    expiresAtMs: readInteger(bytes, 16),
  };
}

/**
 * Returns the sealed record of a change; its checksum is bound to `revision`, so that no record can pass for another.
 */
export function encodeLogRecord(
  revision: number,
  type: number,
  previousRevision: number,
  createRevision: number,
  key: Buffer,
  value: Buffer | undefined,
  expiresAtMs = 0,
): Buffer {
  const valueEnd = logHeaderBytes + key.length + (value?.length ?? 0);
  const length = valueEnd + (type === logExpiringPut ? logExpiryBytes : 0) + checksumBytes;
  const bytes = Buffer.allocUnsafe(length);
  bytes[0] = type;
  writeInteger(bytes, previousRevision, 1);
  writeInteger(bytes, createRevision, 9);
  bytes.writeUInt16BE(key.length, 17);
  key.copy(bytes, logHeaderBytes);
  value?.copy(bytes, logHeaderBytes + key.length);
  if (type === logExpiringPut) {
    writeInteger(bytes, expiresAtMs, valueEnd);
  }
  return seal(bytes, revision);
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
