import type { FileHandle } from "node:fs/promises";
import { BackupError } from "../../errors/errors.js";
import {
  boltMagic,
  boltVersion,
  branchElementBytes,
  branchFlag,
  bucketBytes,
  bucketElementFlag,
  fnv1a,
  leafElementBytes,
  leafFlag,
  metaBytes,
  metaFlag,
  pageHeaderBytes,
} from "./bolt-format.js";

/** Largest page with those that belong to it: more than the largest request that an etcd can be told to take. */
const maxPageBytes = 128 * 2 ** 20;

/** A file of 2^64 bytes has fewer levels. */
const maxDepth = 40;

/** A key and its value; their bytes are valid until the next entry. */
export interface BoltEntry {
  readonly key: Buffer;
  readonly value: Buffer;
}

interface Meta {
  readonly pageSize: number;
  readonly root: number;
  readonly pages: number;
  readonly transaction: bigint;
}

/**
 * Reads buckets of a bbolt file. It trusts nothing in it: every page, length and order is checked, no page is read twice
 * for one bucket, and memory is bounded by the depth of the tree. All methods throw BackupError.
 */
export class BoltFile {
  readonly #file: FileHandle;
  readonly #meta: Meta;

  private constructor(file: FileHandle, meta: Meta) {
    this.#file = file;
    this.#meta = meta;
  }

  /** Opens a file of which `length` bytes are the database. */
  static async open(file: FileHandle, length: number): Promise<BoltFile> {
    const first = await readMeta(file, 0, length);
    const pageSizes = first === undefined ? possiblePageSizes : [first.pageSize];
    let newest = first;
    for (const pageSize of pageSizes) {
      const second = await readMeta(file, pageSize, length);
      if (second?.pageSize === pageSize && (newest === undefined || second.transaction > newest.transaction)) {
        newest = second;
      }
    }
    if (newest === undefined) {
      throw new BackupError("it has no whole meta page, so it is no database of etcd, or damaged");
    }
    if (newest.pages * newest.pageSize > length) {
      throw new BackupError("it is truncated: it has fewer pages than it says");
    }
    return new BoltFile(file, newest);
  }

  /** Yields the entries of a top bucket in the order of their keys; none when there is no such bucket. */
  async *entriesOf(bucketName: string): AsyncGenerator<BoltEntry> {
    const bucket = await this.#bucket(Buffer.from(bucketName));
    if (bucket === undefined) {
      return;
    }
    const root = pageNumber(bucket, 0);
    const entries =
      root === 0
        ? leafEntries(bucket.subarray(bucketBytes), `the bucket ${bucketName}`)
        : this.#walk(root, new PageSet(this.#meta.pages), 0);
    let last: Buffer | undefined;
    for await (const { key, value, isBucket } of entries) {
      if (isBucket || (last !== undefined && Buffer.compare(last, key) >= 0)) {
        throw new BackupError(`the keys of its bucket ${bucketName} are not in order`);
      }
      last = Buffer.from(key);
      yield { key, value };
    }
  }

  async #bucket(name: Buffer): Promise<Buffer | undefined> {
    for await (const { key, value, isBucket } of this.#walk(this.#meta.root, new PageSet(this.#meta.pages), 0)) {
      if (isBucket && key.equals(name)) {
        if (value.length < bucketBytes) {
          throw new BackupError(`its bucket ${name} is damaged`);
        }
        return Buffer.from(value);
      }
    }
    return undefined;
  }

  async *#walk(number: number, seen: PageSet, depth: number): AsyncGenerator<LeafEntry> {
    if (depth > maxDepth) {
      throw new BackupError("its tree has too many levels");
    }
    const page = await this.#page(number, seen);
    const flags = page.readUInt16LE(8);
    if (flags === leafFlag) {
      yield* leafEntries(page, `page ${number}`);
    } else if (flags === branchFlag) {
      for (const below of branchPages(page, number)) {
        yield* this.#walk(below, seen, depth + 1);
      }
    } else {
      throw new BackupError(`its page ${number} is damaged: it is neither a branch nor a leaf`);
    }
  }

  /** Returns a page together with those that belong to it. */
  async #page(number: number, seen: PageSet): Promise<Buffer> {
    const { pageSize, pages } = this.#meta;
    if (number < 2 || number >= pages || !seen.add(number)) {
      throw new BackupError(`its page ${number} is not where a page can be, or in two places`);
    }
    const header = await readAt(this.#file, number * pageSize, pageHeaderBytes);
    const length = (header.readUInt32LE(12) + 1) * pageSize;
    if (pageNumber(header, 0) !== number || length > maxPageBytes || number * pageSize + length > pages * pageSize) {
      throw new BackupError(`its page ${number} is damaged`);
    }
    return await readAt(this.#file, number * pageSize, length);
  }
}

interface LeafEntry extends BoltEntry {
  readonly isBucket: boolean;
}

function* leafEntries(page: Buffer, where: string): Generator<LeafEntry> {
  const damaged = new BackupError(`it is damaged: ${where} has an entry outside of it`);
  const count = page.length < pageHeaderBytes ? Number.POSITIVE_INFINITY : page.readUInt16LE(10);
  if (pageHeaderBytes + count * leafElementBytes > page.length) {
    throw damaged;
  }
  for (let index = 0; index < count; index++) {
    const element = pageHeaderBytes + index * leafElementBytes;
    const start = element + page.readUInt32LE(element + 4);
    const valueStart = start + page.readUInt32LE(element + 8);
    const end = valueStart + page.readUInt32LE(element + 12);
    if (end > page.length) {
      throw damaged;
    }
    const isBucket = (page.readUInt32LE(element) & bucketElementFlag) !== 0;
    yield { key: page.subarray(start, valueStart), value: page.subarray(valueStart, end), isBucket };
  }
}

function branchPages(page: Buffer, number: number): number[] {
  const count = page.readUInt16LE(10);
  if (pageHeaderBytes + count * branchElementBytes > page.length) {
    throw new BackupError(`it is damaged: page ${number} has more entries than there is room for`);
  }
  return Array.from({ length: count }, (_, index) =>
    pageNumber(page, pageHeaderBytes + index * branchElementBytes + 8),
  );
}

/** The page sizes to try when the first meta page, which states it, is damaged. */
const possiblePageSizes = [4096, 8192, 16_384, 32_768, 65_536];

async function readMeta(file: FileHandle, position: number, length: number): Promise<Meta | undefined> {
  if (position + pageHeaderBytes + metaBytes > length) {
    return undefined;
  }
  const page = await readAt(file, position, pageHeaderBytes + metaBytes);
  const meta = page.subarray(pageHeaderBytes);
  const pageSize = meta.readUInt32LE(8);
  const isMeta =
    (page.readUInt16LE(8) & metaFlag) !== 0 &&
    meta.readUInt32LE(0) === boltMagic &&
    meta.readUInt32LE(4) === boltVersion &&
    meta.readBigUInt64LE(56) === fnv1a(meta.subarray(0, 56)) &&
    possiblePageSizes.includes(pageSize);
  return isMeta
    ? { pageSize, root: pageNumber(meta, 16), pages: pageNumber(meta, 40), transaction: meta.readBigUInt64LE(48) }
    : undefined;
}

/** Reads a page number; one that no file can have becomes one that is refused. */
function pageNumber(bytes: Buffer, offset: number): number {
  const number = bytes.readBigUInt64LE(offset);
  return number > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(number);
}

/** Reads exactly so many bytes. Throws BackupError when the file is shorter. */
export async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let used = 0;
  while (used < length) {
    const { bytesRead } = await file.read(bytes, used, length - used, position + used);
    if (bytesRead === 0) {
      throw new BackupError("it is truncated");
    }
    used += bytesRead;
  }
  return bytes;
}

/** The pages of a file that have been seen: one bit each. */
class PageSet {
  readonly #bits: Uint8Array;

  constructor(pages: number) {
    this.#bits = new Uint8Array(Math.ceil(pages / 8));
  }

  /** Adds a page; returns whether it is new. */
  add(number: number): boolean {
    const index = number >>> 3;
    const bit = 1 << (number & 7);
    const isNew = ((this.#bits[index] as number) & bit) === 0;
    this.#bits[index] = (this.#bits[index] as number) | bit;
    return isNew;
  }
}
