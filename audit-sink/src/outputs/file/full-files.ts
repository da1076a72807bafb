import { createReadStream, createWriteStream } from "node:fs";
import { open, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { syncDirectory } from "@gatehouse/component-base/files";
import type { FileOutputConfig } from "../../config/output-config.js";

/** Pattern of a time in a file name: `2026-11-22T10-30-00.000Z`; earlier versions append a number for equal times. */
const timePattern = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z(?:-\d+)?$/;
/** Events repeat each other so much that the fastest level saves nine tenths, in a third of the time. */
const gzipLevel = 1;

/** The files of an output that are full: named after the time of their end, packed, and removed when there are too many. */
export class FullFiles {
  readonly #config: FileOutputConfig;
  readonly #directory: string;
  readonly #stem: string;
  readonly #extension: string;
  #tidying: Promise<void> | undefined;

  constructor(config: FileOutputConfig) {
    this.#config = config;
    this.#directory = dirname(config.path);
    this.#extension = extname(config.path);
    this.#stem = basename(config.path, this.#extension);
  }

  /** A name behind those of all others: two files may be full in the same millisecond, and clocks are set back. */
  async nextName(): Promise<string> {
    const names = await this.#list();
    const time = names.reduce((latest, name) => Math.max(latest, this.#endOf(name) + 1), Date.now());
    return join(
      this.#directory,
      `${this.#stem}-${new Date(time).toISOString().replaceAll(":", "-")}${this.#extension}`,
    );
  }

  /** Packs and removes in the background; what fails is tried again the next time. */
  tidy(): void {
    this.#tidying ??= this.#tidy()
      .catch(() => undefined)
      .finally(() => {
        this.#tidying = undefined;
      });
  }

  /** Resolves when nothing goes on in the background. */
  async idle(): Promise<void> {
    await this.#tidying;
  }

  async #tidy(): Promise<void> {
    const { compress, maxFiles, keepForMs } = this.#config;
    const names = await this.#withoutPacked(await this.#list());
    const oldest = Date.now() - keepForMs;
    const surplus = names.filter((name, index) => names.length - index > maxFiles || this.#endOf(name) < oldest);
    for (const name of surplus) {
      await rm(join(this.#directory, name), { force: true });
    }
    for (const name of names) {
      if (compress && !surplus.includes(name) && !name.endsWith(".gz")) {
        await pack(join(this.#directory, name));
      }
    }
    await syncDirectory(this.#directory);
  }

  /** Removes files of which a packed copy exists, left by an interrupted packing. Returns the names of the others. */
  async #withoutPacked(names: readonly string[]): Promise<readonly string[]> {
    const packed = names.filter((name) => names.includes(`${name}.gz`));
    for (const name of packed) {
      await rm(join(this.#directory, name), { force: true });
    }
    return names.filter((name) => !packed.includes(name));
  }

  /** Oldest first. */
  async #list(): Promise<readonly string[]> {
    const names = await readdir(this.#directory);
    return names.filter((name) => timePattern.test(this.#timeIn(name))).sort();
  }

  #timeIn(name: string): string {
    const bare = name.replace(/\.gz$/, "");
    return bare.startsWith(`${this.#stem}-`) && bare.endsWith(this.#extension)
      ? bare.slice(this.#stem.length + 1, bare.length - this.#extension.length)
      : "";
  }

  /** Milliseconds since 1970. */
  #endOf(name: string): number {
    const [date, time] = this.#timeIn(name).slice(0, 24).split("T");
    return Date.parse(`${date}T${(time ?? "").replaceAll("-", ":")}`);
  }
}

/** Replaces a file by its packed form, so that a crash leaves one of the two whole. */
async function pack(path: string): Promise<void> {
  const unfinished = `${path}.packing`;
  await pipeline(
    createReadStream(path),
    createGzip({ level: gzipLevel }),
    createWriteStream(unfinished, { mode: 0o640 }),
  );
  const file = await open(unfinished, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, `${path}.gz`);
  await rm(path, { force: true });
}
