import { crc32 } from "node:zlib";
import { BackupError } from "../../errors/errors.js";

/**
 * The form of a backup file. Integers are big-endian.
 *
 *   file     magic, frame of type header, frames of type block, frame of type trailer, nothing after it
 *   frame    type (1 byte), length as stored (4), length of the content (4), CRC-32 of the 9 bytes before and of the
 *            content (4), content as stored
 *   header   BackupHeader as JSON
 *   block    records, deflated (RFC 1951)
 *   record   type (1), revision (8), creation revision (8), expiry time in milliseconds since 1970 or 0 (8), length of the
 *            key (2), length of the value (4), key, value
 *   trailer  BackupTrailer as JSON
 *
 * A full backup has one put for each key that lived at its revision, in the order of the keys. An increment has every
 * change after the revision of the backup before it and up to its own, in the order of revisions.
 */
export const backupMagic = Buffer.from("GHBACKUP");

/** The version of the form. A reader refuses all others. */
export const backupFormat = 1;

/** Types of frames. */
export const frameTypes = { header: 1, block: 2, trailer: 3 } as const;

/** Length in bytes of a frame before its content. */
export const frameHeadBytes = 13;

/** Largest content of a frame in bytes: more than the largest object that a server stores. */
export const maxContentBytes = 64 * 2 ** 20;

/** The first frame of a backup. */
export interface BackupHeader {
  readonly format: number;
  /** A random UUID. */
  readonly id: string;
  readonly kind: "full" | "increment";
  /** The time at which the backup began, as in RFC 3339. */
  readonly startedAt: string;
  /** The revision after which the changes of an increment begin; absent in a full backup. */
  readonly afterRevision?: number;
  /** The id of the backup that an increment continues; absent in a full backup. */
  readonly parent?: string;
}

/** A key that could not be read from the store. */
export interface DamagedSourceKey {
  readonly key: string;
  readonly detail: string;
}

/** The last frame of a backup. */
export interface BackupTrailer {
  /** The newest revision that the backup covers. */
  readonly revision: number;
  readonly puts: number;
  readonly deletes: number;
  /** Number of bytes of all keys and values. */
  readonly bytes: number;
  /** The key that `revision` has written, by which an increment knows the store again; absent when that is unknown. */
  readonly lastChange?: { readonly key: string; readonly isPut: boolean };
  /** The first of the keys that are missing because the store could not read them. */
  readonly damaged: readonly DamagedSourceKey[];
  /** Number of the keys that are missing. */
  readonly damagedKeys: number;
  /** SHA-256 of all bytes of the file before the trailer's frame, in hexadecimal digits. */
  readonly sha256: string;
}

/** One version of a key, or its deletion. */
export interface BackupRecord {
  readonly isPut: boolean;
  readonly key: string;
  readonly revision: number;
  /** 0 for a deletion. */
  readonly createRevision: number;
  /** Milliseconds since 1970; 0: never. */
  readonly expiresAtMs: number;
  /** The bytes as they are stored; none for a deletion. */
  readonly value: Buffer;
}

const recordHeadBytes = 31;
const recordPut = 1;
const recordDelete = 2;

/** Returns the length of a record in bytes. */
export function recordLength(record: BackupRecord, key: Buffer): number {
  return recordHeadBytes + key.length + record.value.length;
}

/** Writes a record into `target` at `offset`; `key` is the key's bytes. */
export function writeRecord(record: BackupRecord, key: Buffer, target: Buffer, offset: number): void {
  target[offset] = record.isPut ? recordPut : recordDelete;
  target.writeBigUInt64BE(BigInt(record.revision), offset + 1);
  target.writeBigUInt64BE(BigInt(record.createRevision), offset + 9);
  target.writeBigUInt64BE(BigInt(record.expiresAtMs), offset + 17);
  target.writeUInt16BE(key.length, offset + 25);
  target.writeUInt32BE(record.value.length, offset + 27);
  key.copy(target, offset + recordHeadBytes);
  record.value.copy(target, offset + recordHeadBytes + key.length);
}

/** Reads the records of a block. Throws BackupError when they do not fill it exactly. */
export function* readRecords(content: Buffer): Generator<BackupRecord> {
  let offset = 0;
  while (offset < content.length) {
    const keyStart = offset + recordHeadBytes;
    if (keyStart > content.length) {
      throw new BackupError("a block ends in the middle of a record");
    }
    const type = content[offset];
    const valueStart = keyStart + content.readUInt16BE(offset + 25);
    const end = valueStart + content.readUInt32BE(offset + 27);
    if (end > content.length || (type !== recordPut && type !== recordDelete)) {
      throw new BackupError("a block holds something that is no record");
    }
    yield {
      isPut: type === recordPut,
      key: content.toString("utf8", keyStart, valueStart),
      revision: readSafeInteger(content, offset + 1),
      createRevision: readSafeInteger(content, offset + 9),
      expiresAtMs: readSafeInteger(content, offset + 17),
      value: content.subarray(valueStart, end),
    };
    offset = end;
  }
}

function readSafeInteger(bytes: Buffer, offset: number): number {
  const value = Number(bytes.readBigUInt64BE(offset));
  if (!Number.isSafeInteger(value)) {
    throw new BackupError("a record holds a number that is too large");
  }
  return value;
}

/** Returns the bytes before the content of a frame. */
export function encodeFrameHead(type: number, storedBytes: number, content: Buffer): Buffer {
  const head = Buffer.alloc(frameHeadBytes);
  head[0] = type;
  head.writeUInt32BE(storedBytes, 1);
  head.writeUInt32BE(content.length, 5);
  head.writeUInt32BE(frameChecksum(head, content), 9);
  return head;
}

/** Returns the checksum of a frame with this head and this content. */
export function frameChecksum(head: Buffer, content: Buffer): number {
  return crc32(content, crc32(head.subarray(0, 9)));
}
