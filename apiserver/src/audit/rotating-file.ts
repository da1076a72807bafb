import { createReadStream, createWriteStream } from "node:fs";
import { type FileHandle, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { makeFolder } from "@gatehouse/component-base/files";
import type { FileSharing } from "./audit-processes.js";
import type { LineTarget } from "./group-writer.js";

/** Limits of a file and of its old ones; 0 means no limit, except for the size. */
export interface RotationOptions {
  /** The size in megabytes; 0 stands for 100. */
  readonly maxMegabytes: number;
  readonly maxAgeDays: number;
  readonly maxBackups: number;
  readonly compress: boolean;
  /** Called with errors beside the writing: old files that cannot be compressed or removed. */
  readonly onError: (error: unknown) => void;
  /** The other processes that append to the file; absent for none. */
  readonly sharing?: FileSharing | undefined;
}

/** The byte of a line end. */
const newline = 10;
const usualMegabytes = 100;
const megabyte = 1024 * 1024;
const dayMs = 24 * 60 * 60 * 1000;
/** The pattern of times in the names of old files: `2006-01-02T15-04-05.000`. */
const stampPattern = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3})$/;

/**
 * A file that is put aside when it is full: renamed to `name-TIME.ext`, compressed if configured, removed when it is
 * too old or there are too many. Readable by its owner alone, as is its folder when it is made here. Several processes
 * may append to it and put it aside.
 */
export class RotatingFile implements LineTarget {
  readonly #path: string;
  readonly #options: RotationOptions;
  readonly #maxBytes: number;
  #file: FileHandle;
  #size: number;
  #tidying: Promise<void> = Promise.resolve();
  #writing: Promise<void> = Promise.resolve();

  private constructor(path: string, options: RotationOptions, file: FileHandle, size: number) {
    this.#path = path;
    this.#options = options;
    this.#maxBytes = (options.maxMegabytes === 0 ? usualMegabytes : options.maxMegabytes) * megabyte;
    this.#file = file;
    this.#size = size;
    options.sharing?.onWait(() => this.#writing.catch(() => {}));
  }

  /** Opens the file, or makes it and its folder. Rejects when that cannot be done. */
  static async open(path: string, options: RotationOptions): Promise<RotatingFile> {
    await makeFolder(dirname(path), 0o700);
    const file = await open(path, "a+", 0o600);
    const rotating = new RotatingFile(path, options, file, await endLastLine(file));
    rotating.#tidy();
    return rotating;
  }

  write(lines: Buffer): Promise<void> {
    this.#writing = this.#write(lines);
    return this.#writing;
  }

  async #write(lines: Buffer): Promise<void> {
    if (this.#options.sharing !== undefined) {
      await this.#lookAgain();
    }
    for (const part of this.#partsOf(lines)) {
      if (this.#size > 0 && this.#size + part.length > this.#maxBytes) {
        await this.#rotate();
      }
      await this.#append(part);
    }
  }

  /** Splits lines that were written together where a file would exceed its limit. No line is split. */
  *#partsOf(lines: Buffer): Generator<Buffer> {
    let start = 0;
    while (start < lines.length) {
      const room = Math.max(this.#maxBytes - this.#size, 0);
      let end = lines.length;
      if (end - start > room) {
        const lastFitting = lines.subarray(start, start + room).lastIndexOf(newline);
        end = lastFitting >= 0 ? start + lastFitting + 1 : lines.indexOf(newline, start) + 1 || lines.length;
      }
      yield lines.subarray(start, end);
      start = end;
    }
  }

  /** Learns what other processes have done to the file. It is opened anew when one of them has put it aside. */
  async #lookAgain(): Promise<void> {
    const [mine, named] = await Promise.all([this.#file.stat(), stat(this.#path).catch(() => undefined)]);
    this.#size = mine.size;
    if (named === undefined || named.ino !== mine.ino) {
      await this.#openAnew();
      this.#size = (await this.#file.stat()).size;
    }
  }

  async #append(part: Buffer): Promise<void> {
    if (this.#options.sharing !== undefined) {
      return this.#appendToShared(part);
    }
    const before = this.#size;
    try {
      await this.#file.appendFile(part);
      this.#size += part.length;
    } catch (error) {
      // Half a line would spoil the next one.
      await this.#file.truncate(before).catch(() => {});
      throw error;
    }
  }

  /** Appends in one write, which no line of another process can come into. */
  async #appendToShared(part: Buffer): Promise<void> {
    let rest = part;
    try {
      while (rest.length > 0) {
        const { bytesWritten } = await this.#file.write(rest);
        rest = rest.subarray(bytesWritten);
        this.#size += bytesWritten;
      }
    } catch (error) {
      if (rest.length < part.length) {
        // Lines of others may follow already, so that half a line can only be ended.
        await this.#file.write("\n").catch(() => {});
      }
      throw error;
    }
  }

  async #rotate(): Promise<void> {
    const { sharing } = this.#options;
    if (sharing === undefined) {
      await this.#putAside();
      return this.#tidy();
    }
    const isPutAside = await sharing.exclusively(async () => {
      const seen = this.#size;
      await this.#lookAgain();
      // Another process may have been first.
      if (this.#size < seen) {
        return false;
      }
      await this.#putAside();
      return true;
    });
    if (isPutAside) {
      this.#tidy();
    }
  }

  async #putAside(): Promise<void> {
    try {
      await rename(this.#path, await this.#nextName());
    } catch (error) {
      // Somebody has moved it, or it was renamed the last time, and no new one could be made.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") {
        throw error;
      }
    }
    await this.#openAnew();
  }

  async #openAnew(): Promise<void> {
    const full = this.#file;
    this.#file = await open(this.#path, "a", 0o600);
    this.#size = 0;
    await full.close();
  }

  /**
   * Returns the next name for an old file. Names stay ordered although two files may be full in the same millisecond,
   * and clocks may be set back.
   */
  async #nextName(): Promise<string> {
    const times = (await readdir(dirname(this.#path))).flatMap((name) => this.#timeOf(name) ?? []);
    const time = times.reduce((latest, other) => Math.max(latest, other + 1), Date.now());
    const stamp = new Date(time).toISOString().slice(0, -1).replaceAll(":", "-");
    return join(dirname(this.#path), `${this.#prefix}${stamp}${extname(this.#path)}`);
  }

  get #prefix(): string {
    return `${basename(this.#path, extname(this.#path))}-`;
  }

  /** Compresses and removes old files, one pass after the other, while writing goes on. */
  #tidy(): void {
    this.#tidying = this.#tidying.then(() => this.#tidyShared()).catch(this.#options.onError);
  }

  /** Tidies when no other process does, nor writes to a file that it has not yet seen put aside. */
  async #tidyShared(): Promise<void> {
    const { sharing } = this.#options;
    if (sharing === undefined) {
      return this.#tidyNow();
    }
    await sharing.othersHaveWritten();
    await sharing.exclusively(() => this.#tidyNow());
  }

  async #tidyNow(): Promise<void> {
    const { maxAgeDays, maxBackups, compress } = this.#options;
    const folder = dirname(this.#path);
    const names = new Set(await readdir(folder));
    for (const name of names) {
      if (this.#timeOf(name) !== undefined && names.has(`${name}.gz`)) {
        // It was packed, but not removed, when the process ended.
        await rm(join(folder, name), { force: true });
        names.delete(name);
      }
    }
    const aside = [...names].flatMap((name) => {
      const time = this.#timeOf(name);
      return time === undefined ? [] : [{ path: join(folder, name), time }];
    });
    const oldest = maxAgeDays === 0 ? 0 : Date.now() - maxAgeDays * dayMs;
    for (const [index, { path, time }] of aside.sort((a, b) => b.time - a.time).entries()) {
      if ((maxBackups > 0 && index >= maxBackups) || time < oldest) {
        await rm(path, { force: true });
      } else if (compress && !path.endsWith(".gz")) {
        await pack(path);
      }
    }
  }

  /** Returns the time at which a file was put aside; undefined for other files. */
  #timeOf(name: string): number | undefined {
    const ending = name.endsWith(".gz") ? `${extname(this.#path)}.gz` : extname(this.#path);
    if (!name.startsWith(this.#prefix) || !name.endsWith(ending)) {
      return undefined;
    }
    const match = stampPattern.exec(name.slice(this.#prefix.length, name.length - ending.length));
    return match === null ? undefined : Date.parse(`${match[1]}T${match[2]}:${match[3]}:${match[4]}Z`);
  }

  async close(): Promise<void> {
    await this.#tidying;
    await this.#file.close();
  }
}

/** Returns the bytes of the file. A line that the end of a process has cut short must not spoil the next one. */
async function endLastLine(file: FileHandle): Promise<number> {
  const { size } = await file.stat();
  if (size === 0) {
    return 0;
  }
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  if (buffer[0] === newline) {
    return size;
  }
  await file.appendFile("\n");
  return size + 1;
}

/** Compresses a file. The original stays until the result is complete, so that an interrupted attempt is repeated. */
async function pack(path: string): Promise<void> {
  const packed = `${path}.gz`;
  const partial = `${packed}.tmp`;
  await pipeline(createReadStream(path), createGzip(), createWriteStream(partial, { mode: 0o600, flush: true }));
  await rename(partial, packed);
  await rm(path, { force: true });
}
