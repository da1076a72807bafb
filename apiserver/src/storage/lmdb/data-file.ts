import { closeSync, fstatSync, openSync, readSync, statSync, unlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** The name of LMDB's file in a data directory. */
export const dataFileName = "data.mdb";

/** Offsets in LMDB's two meta pages (data format 2, as lmdb 3 writes it). */
const metaMagic = 24;
const metaVersion = 28;
const metaPageSize = 48;
const metaMainRoot = 136;
const metaTransaction = 152;
const metaBytes = 168;

const lmdbMagic = 0xbeefc0de;
const dataVersion = 2;

/**
 * Returns the reason why LMDB could not open this file; undefined when it can, or when there is no file yet. LMDB's
 * binding crashes the process on files with such a problem.
 */
export function dataFileProblem(path: string): string | undefined {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : (error as Error).message;
  }
  try {
    return problemOf({ size: () => fstatSync(file).size, meta: (position) => readMeta(file, position) });
  } finally {
    closeSync(file);
  }
}

/** Longest time in milliseconds for which a file that another process makes has no meta pages. */
const creationMs = 1000;

/**
 * Returns the problem of a data file as dataFileProblem does, but waits for the meta pages of a file that is being
 * made.
 */
export async function lastingDataFileProblem(path: string): Promise<string | undefined> {
  const deadline = performance.now() + creationMs;
  for (;;) {
    const problem = dataFileProblem(path);
    if (problem !== emptyFile || performance.now() > deadline) {
      return problem;
    }
    await sleep(20);
  }
}

/** Takes away the file that a first start leaves when there was no space to make it. */
export function removeEmptyFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.size === 0) {
    unlinkSync(path);
  }
}

const emptyFile =
  "data.mdb has 0 bytes: its data has been lost; restore the directory from a backup, or remove data.mdb if it never held data";

/** A data file that is open, and that another process may be writing to. */
export interface OpenDataFile {
  /** Returns the number of its bytes now. */
  size(): number;
  /** Reads the meta page at a position. */
  meta(position: number): Buffer;
}

/** Returns the problem of a data file, as dataFileProblem does. */
export function problemOf(file: OpenDataFile): string | undefined {
  if (file.size() === 0) {
    return emptyFile;
  }
  const first = file.meta(0);
  if (first.readUInt32LE(metaMagic) !== lmdbMagic) {
    return "data.mdb is not an LMDB file";
  }
  const version = first.readUInt32LE(metaVersion);
  if (version !== dataVersion) {
    return `data.mdb has LMDB's data version ${version}, not ${dataVersion}`;
  }
  const pageSize = first.readUInt32LE(metaPageSize);
  const second = file.meta(pageSize);
  if (second.readUInt32LE(metaMagic) !== lmdbMagic) {
    return "data.mdb is damaged: its second meta page is not one";
  }
  const isFirstNewer = first.readBigUInt64LE(metaTransaction) > second.readBigUInt64LE(metaTransaction);
  const root = (isFirstNewer ? first : second).readBigUInt64LE(metaMainRoot);
  const isEmpty = root === 2n ** 64n - 1n;
  // Asked for now: the file may have become larger before its newest state was written.
  return !isEmpty && (root + 1n) * BigInt(pageSize) > BigInt(file.size()) ? "data.mdb is truncated" : undefined;
}

/** Reads a meta page. A part beyond the end of the file reads as zeros, which is no meta page. */
function readMeta(file: number, position: number): Buffer {
  const meta = Buffer.alloc(metaBytes);
  readSync(file, meta, 0, metaBytes, position);
  return meta;
}
