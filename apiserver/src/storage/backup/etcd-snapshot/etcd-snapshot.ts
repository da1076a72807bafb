import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { BackupError } from "../../../errors/errors.js";
import { BoltFile, readAt } from "../../bolt/index.js";
import type { BackupRecord } from "../backup-format.js";
import type { BackupSource } from "../backup-source.js";
import { bytesOf, type FieldValue, numberOf, readFields } from "./protobuf-fields.js";

/** A snapshot of etcd, whose checksum and structure have been checked. */
export interface EtcdSnapshot extends BackupSource {
  readonly path: string;
  /** Number of versions of keys in the file. */
  readonly versions: number;
}

/** The SHA-256 that etcd appends to a snapshot: a database alone has whole sectors. */
const hashBytes = 32;
const sectorBytes = 512;
const readBytes = 2 ** 20;

/** Keys of the bucket `key`: revision, `_`, number of the change in its transaction, and `t` behind that of a deletion. */
const versionKeyBytes = 17;
const deletionKeyBytes = 18;

/** Options of a snapshot. */
export interface EtcdSnapshotOptions {
  /** Keys that do not start with it are left out: other programs may use the same etcd. */
  readonly prefix: string;
  readonly now?: () => number;
  /** Called with the number of bytes that have been read since the last call. */
  readonly advance?: (bytes: number) => void;
}

/**
 * Opens a snapshot that `etcdctl snapshot save` or the API of etcd 3 has made. Any revision since etcd's last compaction
 * can be read. A key with a lease expires when a lease that is granted now would. Throws BackupError that names the file.
 */
export async function openEtcdSnapshot(path: string, options: EtcdSnapshotOptions): Promise<EtcdSnapshot> {
  return await naming(path, async () => {
    const file = await open(path, "r");
    try {
      const length = await checkHash(file, options.advance ?? (() => {}));
      const bolt = await BoltFile.open(file, length);
      const oldest = await compactRevision(bolt);
      const { newest, versions } = await checkVersions(bolt);
      return {
        path,
        name: path,
        versions,
        oldestRevision: Math.max(oldest, 1),
        newestRevision: Math.max(newest, oldest, 1),
        damaged: [],
        damagedKeys: 0,
        liveRecords: (revision) => liveRecords(path, length, revision, options),
      };
    } finally {
      await file.close();
    }
  });
}

/** Checks the SHA-256 at the end of the file; returns the length of the database before it. */
async function checkHash(file: FileHandle, advance: (bytes: number) => void): Promise<number> {
  const { size } = await file.stat();
  if (size % sectorBytes !== hashBytes) {
    throw new BackupError(
      "it has no checksum at its end; make a snapshot with `etcdctl snapshot save`: the file of a running etcd is not one",
    );
  }
  const length = size - hashBytes;
  const hash = createHash("sha256");
  for (let position = 0; position < length; position += readBytes) {
    const piece = await readAt(file, position, Math.min(readBytes, length - position));
    hash.update(piece);
    advance(piece.length);
  }
  if (!hash.digest().equals(await readAt(file, length, hashBytes))) {
    throw new BackupError("it is damaged: its SHA-256 is not the one at its end");
  }
  return length;
}

/** Returns the revision below which versions are incomplete: that of the last compaction which began. */
async function compactRevision(bolt: BoltFile): Promise<number> {
  let oldest = 0;
  for await (const { key, value } of bolt.entriesOf("meta")) {
    if (/^(?:scheduled|finished)CompactRev$/.test(key.toString("latin1")) && value.length >= versionKeyBytes) {
      oldest = Math.max(oldest, revisionOf(value));
    }
  }
  return oldest;
}

async function checkVersions(bolt: BoltFile): Promise<{ readonly newest: number; readonly versions: number }> {
  let newest = 0;
  let versions = 0;
  for await (const { key, value } of bolt.entriesOf("key")) {
    newest = versionRevision(key);
    readFields(value);
    versions++;
  }
  return { newest, versions };
}

/** Memory is bounded by the keys that are live at some time until `revision`: they are kept, their values are not. */
async function* liveRecords(
  path: string,
  length: number,
  revision: number,
  { prefix, now = Date.now }: EtcdSnapshotOptions,
): AsyncGenerator<BackupRecord> {
  const file = await open(path, "r");
  try {
    const bolt = await BoltFile.open(file, length);
    const leaseSeconds = await readLeases(bolt);
    const live = await liveVersions(bolt, prefix, revision);
    let ordinal = 0;
    for await (const { key, value } of bolt.entriesOf("key")) {
      ordinal++;
      const fields = readFields(value);
      const name = bytesOf(fields.get(1)).toString();
      if (live.get(name) === ordinal) {
        yield recordOf(name, versionRevision(key), fields, leaseSeconds, now());
      }
      if (versionRevision(key) > revision) {
        return;
      }
    }
  } catch (error) {
    throw named(path, error);
  } finally {
    await file.close();
  }
}

/** Returns the place in the file of each live key's version. */
async function liveVersions(bolt: BoltFile, prefix: string, revision: number): Promise<Map<string, number>> {
  const live = new Map<string, number>();
  let ordinal = 0;
  for await (const { key, value } of bolt.entriesOf("key")) {
    ordinal++;
    if (versionRevision(key) > revision) {
      break;
    }
    const name = bytesOf(readFields(value).get(1)).toString();
    if (key.length === deletionKeyBytes) {
      live.delete(name);
    } else if (name !== "" && name.startsWith(prefix)) {
      live.set(name, ordinal); // an entry without a key only moves the revision on, after a restore by etcdutl
    }
  }
  return live;
}

function recordOf(
  key: string,
  revision: number,
  fields: ReadonlyMap<number, FieldValue>,
  leaseSeconds: ReadonlyMap<bigint, number>,
  nowMs: number,
): BackupRecord {
  const lease = fields.get(6) ?? 0n;
  const seconds = leaseSeconds.get(typeof lease === "bigint" ? lease : 0n);
  // A lease that is gone has ended before the snapshot was made.
  const expiresAtMs = lease === 0n ? 0 : seconds === undefined ? 1 : nowMs + seconds * 1000;
  const createRevision = numberOf(fields.get(2));
  return { isPut: true, key, revision, createRevision, expiresAtMs, value: Buffer.from(bytesOf(fields.get(5))) };
}

/** Returns the time to live of each lease in seconds: what was left at the last checkpoint, or all of it. */
async function readLeases(bolt: BoltFile): Promise<ReadonlyMap<bigint, number>> {
  const leases = new Map<bigint, number>();
  for await (const { value } of bolt.entriesOf("lease")) {
    const fields = readFields(value);
    const id = fields.get(1);
    if (typeof id === "bigint") {
      leases.set(id, numberOf(fields.get(3)) || numberOf(fields.get(2)));
    }
  }
  return leases;
}

function versionRevision(key: Buffer): number {
  const isVersion =
    key.length === versionKeyBytes || (key.length === deletionKeyBytes && key[deletionKeyBytes - 1] === 0x74);
  if (!isVersion) {
    throw new BackupError("its bucket key holds something that is no revision");
  }
  return revisionOf(key);
}

function revisionOf(bytes: Buffer): number {
  const revision = Number(bytes.readBigUInt64BE(0));
  if (!Number.isSafeInteger(revision)) {
    throw new BackupError("it holds a revision that is too large");
  }
  return revision;
}

async function naming<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw named(path, error);
  }
}

function named(path: string, error: unknown): unknown {
  return error instanceof BackupError ? new BackupError(`${path}: ${error.message}`, { cause: error }) : error;
}
