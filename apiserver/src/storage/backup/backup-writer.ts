import { createHash, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, link, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { deflateRaw } from "node:zlib";
import { syncDirectory } from "@gatehouse/component-base/files";
import { BackupError } from "../../errors/errors.js";
import {
  type BackupHeader,
  type BackupRecord,
  type BackupTrailer,
  backupFormat,
  backupMagic,
  encodeFrameHead,
  frameTypes,
  recordLength,
  writeRecord,
} from "./backup-format.js";

const deflate = promisify(deflateRaw);

/** A block is written when its records have come to so many bytes. Larger blocks are hardly smaller when deflated. */
const blockBytes = 512 * 1024;

/** Deflation is fastest at level 1, and half as fast at level 4, for a sixth less in size. */
const deflateOptions = { level: 4 };

/** The parts of a header that the maker of a backup states. */
export type BackupOrigin = Pick<BackupHeader, "kind" | "afterRevision" | "parent">;

/** The parts of a trailer that the maker of a backup states. */
export type BackupEnd = Pick<BackupTrailer, "revision" | "lastChange" | "damaged" | "damagedKeys">;

/**
 * Writes one backup file, readable by its owner only. It has another name until it is whole and on disk; disposal before
 * that removes it.
 */
export class BackupWriter implements AsyncDisposable {
  readonly header: BackupHeader;
  readonly #path: string;
  readonly #unfinishedPath: string;
  readonly #file: FileHandle;
  readonly #hash = createHash("sha256");
  #block = Buffer.allocUnsafe(blockBytes);
  #blockUsed = 0;
  #puts = 0;
  #deletes = 0;
  #bytes = 0;
  #storedBytes = 0;
  #isFinished = false;

  private constructor(path: string, unfinishedPath: string, file: FileHandle, origin: BackupOrigin) {
    this.#path = path;
    this.#unfinishedPath = unfinishedPath;
    this.#file = file;
    this.header = { format: backupFormat, id: randomUUID(), startedAt: new Date().toISOString(), ...origin };
  }

  /** Begins a backup. `note` gets a sentence for each file that an earlier run has left. Throws BackupError. */
  static async create(path: string, origin: BackupOrigin, note: (sentence: string) => void): Promise<BackupWriter> {
    return await explainingSystemErrors(path, async () => {
      if ((await stat(path).catch(() => undefined)) !== undefined) {
        throw new BackupError(`${path} exists already; a backup never replaces another file`);
      }
      await removeUnfinished(path, note);
      const unfinishedPath = `${path}.${process.pid}${unfinishedSuffix}`;
      const file = await open(unfinishedPath, constants.O_CREAT | constants.O_EXCL | constants.O_RDWR, 0o600);
      const writer = new BackupWriter(path, unfinishedPath, file, origin);
      try {
        await writer.#write(backupMagic);
        await writer.#writeFrame(frameTypes.header, Buffer.from(JSON.stringify(writer.header)));
      } catch (error) {
        await writer[Symbol.asyncDispose]();
        throw error;
      }
      return writer;
    });
  }

  /** The path under which the file lies until it is finished. */
  get unfinishedPath(): string {
    return this.#unfinishedPath;
  }

  /** Bytes of the file so far. */
  get storedBytes(): number {
    return this.#storedBytes;
  }

  /** Adds a record. Throws BackupError when the disk is full. */
  async add(record: BackupRecord): Promise<void> {
    const key = Buffer.from(record.key);
    const length = recordLength(record, key);
    if (this.#blockUsed + length > this.#block.length) {
      await this.#endBlock();
      if (length > this.#block.length) {
        this.#block = Buffer.allocUnsafe(length);
      }
    }
    writeRecord(record, key, this.#block, this.#blockUsed);
    this.#blockUsed += length;
    this.#bytes += key.length + record.value.length;
    if (record.isPut) {
      this.#puts++;
    } else {
      this.#deletes++;
    }
  }

  /** Writes the trailer and makes the file durable, under the name that it has until `publish`. */
  async finish(end: BackupEnd): Promise<BackupTrailer> {
    return await explainingSystemErrors(this.#path, async () => {
      await this.#endBlock();
      const { revision, lastChange, damaged, damagedKeys } = end;
      const trailer = {
        revision,
        puts: this.#puts,
        deletes: this.#deletes,
        bytes: this.#bytes,
        ...(lastChange === undefined ? {} : { lastChange }),
        damaged,
        damagedKeys,
        sha256: this.#hash.digest("hex"),
      };
      const content = Buffer.from(JSON.stringify(trailer));
      await writeAll(
        this.#file,
        Buffer.concat([encodeFrameHead(frameTypes.trailer, content.length, content), content]),
      );
      await this.#file.sync();
      return trailer;
    });
  }

  /** Gives the finished file its name. Throws BackupError when another file has got it meanwhile. */
  async publish(): Promise<void> {
    await explainingSystemErrors(this.#path, async () => {
      await this.#file.close();
      await giveName(this.#unfinishedPath, this.#path);
      this.#isFinished = true;
      await syncDirectory(dirname(this.#path));
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isFinished) {
      await this.#file.close();
      await rm(this.#unfinishedPath, { force: true });
    }
  }

  async #endBlock(): Promise<void> {
    if (this.#blockUsed > 0) {
      const content = this.#block.subarray(0, this.#blockUsed);
      this.#blockUsed = 0;
      await this.#writeFrame(frameTypes.block, content, await deflate(content, deflateOptions));
    }
  }

  async #writeFrame(type: number, content: Buffer, stored: Buffer = content): Promise<void> {
    await this.#write(Buffer.concat([encodeFrameHead(type, stored.length, content), stored]));
  }

  async #write(bytes: Buffer): Promise<void> {
    await explainingSystemErrors(this.#path, () => writeAll(this.#file, bytes));
    this.#hash.update(bytes);
    this.#storedBytes += bytes.length;
  }
}

const unfinishedSuffix = ".unfinished";

/** Removes what earlier runs for the same file have left, unless they are still at it. */
async function removeUnfinished(path: string, note: (sentence: string) => void): Promise<void> {
  const folder = dirname(path);
  const start = `${basename(path)}.`;
  for (const name of await readdir(folder)) {
    const pid = name.startsWith(start) && /^(\d+)\.unfinished$/.exec(name.slice(start.length))?.[1];
    // In containers a program often has the number that it had the last time.
    if (pid && (Number(pid) === process.pid || !isAlive(Number(pid)))) {
      await rm(join(folder, name), { force: true });
      note(`${name}, which an earlier run has left unfinished, was removed; this backup starts again`);
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** Gives a file a name that no other file has. */
async function giveName(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") {
      throw new BackupError(`${to} was made by another program meanwhile; a backup never replaces another file`);
    }
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "ENOSYS") {
      throw error;
    }
    await rename(from, to); // a file system without hard links
    return;
  }
  await rm(from);
}

async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    written += (await file.write(bytes, written)).bytesWritten;
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: "no space is left on the disk",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file is larger than the file system or a limit allows",
  EROFS: "the file system is read-only",
  EACCES: "permission denied",
  EPERM: "permission denied",
  ENOENT: "there is no such folder",
  ENOTDIR: "part of the path is a file",
};

/** Runs work on the file `path`; an error of the system becomes a BackupError with its reason. */
async function explainingSystemErrors<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (syscall === undefined) {
      throw error;
    }
    throw new BackupError(`${path} cannot be written: ${reasons[code ?? ""] ?? message}`, { cause: error });
  }
}
