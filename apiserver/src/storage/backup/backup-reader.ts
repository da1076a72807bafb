import { createHash, type Hash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { promisify } from "node:util";
import { inflateRaw } from "node:zlib";
import { isAbsence } from "@gatehouse/component-base/files";
import { BackupError } from "../../errors/errors.js";
import {
  type BackupHeader,
  type BackupRecord,
  type BackupTrailer,
  backupFormat,
  backupMagic,
  frameChecksum,
  frameHeadBytes,
  frameTypes,
  maxContentBytes,
  readRecords,
} from "./backup-format.js";

const inflate = promisify(inflateRaw);

/** Largest header or trailer in bytes. */
const maxDocumentBytes = 2 ** 20;

/** One backup file, whose header and trailer have been read. */
export interface BackupFile {
  readonly path: string;
  readonly header: BackupHeader;
  readonly trailer: BackupTrailer;
}

/** Reports whether a file begins as a backup does. Throws BackupError when there is no file. */
export async function isBackupFile(path: string): Promise<boolean> {
  const file = await openExisting(path);
  try {
    const start = Buffer.alloc(backupMagic.length);
    const { bytesRead } = await file.read(start, 0, start.length, 0);
    return bytesRead === start.length && start.equals(backupMagic);
  } finally {
    await file.close();
  }
}

/**
 * Reads a whole backup and checks everything in it: checksums, counts, the order of its records, its end. Throws
 * BackupError that names the file. `advance` gets the number of bytes that have been read since the last call.
 */
export async function openBackup(path: string, advance: (bytes: number) => void = () => {}): Promise<BackupFile> {
  const scan = new BackupScan(path, advance);
  for await (const _ of scan.records()) {
    // Each record is checked as it passes.
  }
  return { path, ...scan.result() };
}

/**
 * Yields the records of a backup that openBackup has found whole. The file is checked again while it is read; the last
 * record is no proof of that, only the end of the iteration.
 */
export async function* recordsOf(file: BackupFile): AsyncGenerator<BackupRecord> {
  const scan = new BackupScan(file.path, () => {});
  yield* scan.records();
  if (scan.result().trailer.sha256 !== file.trailer.sha256) {
    throw new BackupError(`${file.path} has been changed since it was checked`);
  }
}

interface Frame {
  readonly type: number;
  readonly content: Buffer;
}

/** One pass over a backup file. */
class BackupScan {
  readonly #path: string;
  readonly #advance: (bytes: number) => void;
  readonly #hash: Hash = createHash("sha256");
  #header: BackupHeader | undefined;
  #trailer: BackupTrailer | undefined;
  #position = 0;
  #puts = 0;
  #deletes = 0;
  #bytes = 0;
  #last: BackupRecord | undefined;
  #lastKey: Buffer = Buffer.alloc(0);

  constructor(path: string, advance: (bytes: number) => void) {
    this.#path = path;
    this.#advance = advance;
  }

  /** Returns header and trailer after the last record. */
  result(): { readonly header: BackupHeader; readonly trailer: BackupTrailer } {
    if (this.#header === undefined || this.#trailer === undefined) {
      throw new Error("the backup has not been read to its end");
    }
    return { header: this.#header, trailer: this.#trailer };
  }

  async *records(): AsyncGenerator<BackupRecord> {
    const file = await openExisting(this.#path);
    try {
      yield* this.#recordsOf(file);
    } catch (error) {
      throw error instanceof BackupError ? new BackupError(`${this.#path}: ${error.message}`, { cause: error }) : error;
    } finally {
      await file.close();
    }
  }

  async *#recordsOf(file: FileHandle): AsyncGenerator<BackupRecord> {
    const magic = await this.#read(file, backupMagic.length);
    if (!magic.equals(backupMagic)) {
      throw new BackupError("it is no backup");
    }
    this.#hash.update(magic);
    this.#header = readHeader(await this.#frame(file));
    for (;;) {
      const sha256 = this.#hash.copy().digest("hex");
      const frame = await this.#frame(file);
      if (frame.type === frameTypes.trailer) {
        this.#trailer = this.#checkTrailer(frame, sha256);
        break;
      }
      if (frame.type !== frameTypes.block) {
        throw new BackupError("it holds a part of an unknown type");
      }
      for (const record of readRecords(frame.content)) {
        this.#count(record, this.#header);
        yield record;
      }
    }
    if ((await file.read(Buffer.alloc(1), 0, 1, this.#position)).bytesRead > 0) {
      throw new BackupError("bytes follow its end");
    }
  }

  async #frame(file: FileHandle): Promise<Frame> {
    const start = this.#position;
    const head = await this.#read(file, frameHeadBytes);
    const type = head[0] as number;
    const storedBytes = head.readUInt32BE(1);
    const contentBytes = head.readUInt32BE(5);
    const maxBytes = type === frameTypes.block ? maxContentBytes : maxDocumentBytes;
    if (contentBytes > maxBytes || storedBytes > maxBytes + 1024) {
      throw new BackupError(`it is damaged at byte ${start}: a part has an impossible length`);
    }
    const stored = await this.#read(file, storedBytes);
    const content = type === frameTypes.block ? await inflated(stored, contentBytes) : stored;
    if (content?.length !== contentBytes || frameChecksum(head, content) !== head.readUInt32BE(9)) {
      throw new BackupError(`it is damaged between byte ${start} and byte ${this.#position}: the checksum is another`);
    }
    this.#hash.update(head).update(stored);
    return { type, content };
  }

  async #read(file: FileHandle, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(length);
    let used = 0;
    while (used < length) {
      const { bytesRead } = await file.read(bytes, used, length - used, this.#position + used);
      if (bytesRead === 0) {
        throw new BackupError(`it ends after ${this.#position + used} bytes, before its trailer: it is not whole`);
      }
      used += bytesRead;
    }
    this.#position += length;
    this.#advance(length);
    return bytes;
  }

  #count(record: BackupRecord, header: BackupHeader): void {
    const key = Buffer.from(record.key);
    const isInOrder =
      header.kind === "full"
        ? record.isPut && (this.#last === undefined || Buffer.compare(this.#lastKey, key) < 0)
        : record.revision > (header.afterRevision ?? 0) && record.revision >= (this.#last?.revision ?? 0);
    if (!isInOrder) {
      throw new BackupError(`its record of ${JSON.stringify(record.key)} is out of order`);
    }
    this.#last = record;
    this.#lastKey = key;
    this.#bytes += key.length + record.value.length;
    if (record.isPut) {
      this.#puts++;
    } else {
      this.#deletes++;
    }
  }

  #checkTrailer({ content }: Frame, sha256: string): BackupTrailer {
    const trailer = readTrailer(content);
    if (trailer.sha256 !== sha256) {
      throw new BackupError("it is damaged: its SHA-256 is not the one of its trailer");
    }
    if (trailer.puts !== this.#puts || trailer.deletes !== this.#deletes || trailer.bytes !== this.#bytes) {
      throw new BackupError("it does not hold as much as its trailer says");
    }
    if (this.#header?.kind === "increment" && (this.#last?.revision ?? 0) > trailer.revision) {
      throw new BackupError("it holds changes after its own revision");
    }
    return trailer;
  }
}

async function inflated(stored: Buffer, contentBytes: number): Promise<Buffer | undefined> {
  try {
    return await inflate(stored, { maxOutputLength: Math.max(contentBytes, 1) });
  } catch {
    return undefined; // not what was deflated
  }
}

function readHeader({ type, content }: Frame): BackupHeader {
  const header = parse(content);
  if (type !== frameTypes.header || header === undefined) {
    throw new BackupError("it does not begin with a header");
  }
  const { format, id, kind, startedAt, afterRevision, parent } = header;
  if (format !== backupFormat) {
    const shown = Number.isSafeInteger(format) ? String(format) : "(unreadable)";
    throw new BackupError(`it has form ${shown}, but this version knows only form ${backupFormat}`);
  }
  const isIncrement = kind === "increment";
  const isWhole =
    typeof id === "string" &&
    typeof startedAt === "string" &&
    (kind === "full" || (isIncrement && isRevision(afterRevision) && typeof parent === "string"));
  if (!isWhole) {
    throw new BackupError("its header cannot be read");
  }
  return { format, id, kind, startedAt, ...(isIncrement ? { afterRevision, parent } : {}) } as BackupHeader;
}

function readTrailer(content: Buffer): BackupTrailer {
  const trailer = parse(content);
  const { revision, puts, deletes, bytes, damaged, damagedKeys, sha256 } = trailer ?? {};
  const areNumbers = [puts, deletes, bytes, damagedKeys].every((value) => Number.isSafeInteger(value));
  if (!areNumbers || !isRevision(revision) || !Array.isArray(damaged) || typeof sha256 !== "string") {
    throw new BackupError("its trailer cannot be read");
  }
  return trailer as unknown as BackupTrailer;
}

function isRevision(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function parse(content: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(content.toString());
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Opens a file to read it. Throws BackupError when there is none. */
async function openExisting(path: string): Promise<FileHandle> {
  return await open(path, "r").catch((error: unknown) => {
    throw isAbsence(error) ? new BackupError(`there is no file ${path}`, { cause: error }) : error;
  });
}
