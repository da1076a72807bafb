import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** Where LMDB keeps what in its two meta pages (data format 2, as lmdb 3 writes it). */
const META_MAGIC = 24;
const META_VERSION = 28;
const META_PAGE_SIZE = 48;
const META_MAIN_ROOT = 136;
const META_TRANSACTION = 152;
const META_BYTES = 168;

const MAGIC = 0xbeefc0de;
const DATA_VERSION = 2;

/**
 * Why LMDB could not open this file; undefined when it can, or when there is no file yet. LMDB's binding crashes the
 * process where this answers.
 */
export function dataFileProblem(path: string): string | undefined {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : (error as Error).message;
  }
  try {
    const { size } = fstatSync(file);
    return size === 0 ? undefined : problemOf(file, size);
  } finally {
    closeSync(file);
  }
}

function problemOf(file: number, size: number): string | undefined {
  const first = readMeta(file, 0);
  if (first.readUInt32LE(META_MAGIC) !== MAGIC) {
    return "data.mdb is not an LMDB file";
  }
  const version = first.readUInt32LE(META_VERSION);
  if (version !== DATA_VERSION) {
    return `data.mdb has LMDB's data version ${version}, not ${DATA_VERSION}`;
  }
  const pageSize = first.readUInt32LE(META_PAGE_SIZE);
  const second = readMeta(file, pageSize);
  if (second.readUInt32LE(META_MAGIC) !== MAGIC) {
    return "data.mdb is damaged";
  }
  const isFirstNewer = first.readBigUInt64LE(META_TRANSACTION) > second.readBigUInt64LE(META_TRANSACTION);
  const root = (isFirstNewer ? first : second).readBigUInt64LE(META_MAIN_ROOT);
  const isEmpty = root === 2n ** 64n - 1n;
  return !isEmpty && (root + 1n) * BigInt(pageSize) > BigInt(size) ? "data.mdb is truncated" : undefined;
}

/** A part beyond the end of the file reads as zeros, which is no meta page. */
function readMeta(file: number, position: number): Buffer {
  const meta = Buffer.alloc(META_BYTES);
  readSync(file, meta, 0, META_BYTES, position);
  return meta;
}
