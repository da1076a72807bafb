import type { BoltEntry } from "./bolt-file.js";
import {
  boltMagic,
  boltVersion,
  branchElementBytes,
  branchFlag,
  bucketBytes,
  bucketElementFlag,
  fnv1a,
  freeListFlag,
  leafElementBytes,
  leafFlag,
  metaBytes,
  metaFlag,
  pageHeaderBytes,
} from "./bolt-format.js";

/** A top bucket of a file to be written. */
export interface BoltBucket {
  readonly name: string;
  /**
   * Yields the entries in the order of their keys, in batches. Called twice, and yields the same both times. The bytes of
   * a batch are valid until the next one.
   */
  readonly entries: () => AsyncIterable<readonly BoltEntry[]> | Iterable<readonly BoltEntry[]>;
}

/** A file whose layout is known. */
export interface BoltPlan {
  /** Length of the file in bytes. */
  readonly bytes: number;
  /** Yields the file from its beginning, in pieces of whole pages. */
  pieces(): AsyncGenerator<Buffer>;
}

const pageSize = 4096;
const freeListPage = 2;
const rootPage = 3;
const firstFreePage = 4;
/** Pages are handed on in pieces of about this size. */
const pieceBytes = 64 * 1024;

/**
 * Plans a bbolt file with the given top buckets. The first pages of a file say where the others are, so all entries are
 * read once for the plan, of which the first key of each page stays in memory, and once for the file, which is written
 * from its beginning to its end.
 */
export async function planBoltFile(buckets: readonly BoltBucket[]): Promise<BoltPlan> {
  const sorted = buckets.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const plans: BucketPlan[] = [];
  let next = firstFreePage;
  for (const bucket of sorted) {
    const plan = await planBucket(bucket, next);
    plans.push(plan);
    next = plan.nextPage;
  }
  const head = Buffer.concat([metaPage(0, next), metaPage(1, next), page(freeListPage, freeListFlag), rootOf(plans)]);
  return {
    bytes: next * pageSize,
    async *pieces() {
      yield head;
      for (const plan of plans) {
        yield* inPieces(pagesOf(plan));
      }
    },
  };
}

interface BucketPlan {
  readonly bucket: BoltBucket;
  readonly firstPage: number;
  readonly leaves: readonly Child[];
  /** The page at the root; 0 when the bucket is empty. */
  readonly root: number;
  readonly nextPage: number;
}

/** A page, as the branch above it names it. */
interface Child {
  readonly key: Buffer;
  readonly page: number;
}

async function planBucket(bucket: BoltBucket, firstPage: number): Promise<BucketPlan> {
  const leaves: Child[] = [];
  const packer = new Packer(leafElementBytes);
  let next = firstPage;
  for await (const batch of bucket.entries()) {
    for (const { key, value } of batch) {
      if (packer.beginsPage(key.length + value.length)) {
        next += packer.closedPages;
        leaves.push({ key: Buffer.from(key), page: next });
      }
    }
  }
  next += packer.pages;
  let nextPage = next;
  let root = leaves.at(-1)?.page ?? 0;
  for (const branch of branchesAbove(leaves, next)) {
    root = branch.readUInt32LE(0);
    nextPage++;
  }
  return { bucket, firstPage, leaves, root, nextPage };
}

async function* pagesOf({ bucket, firstPage, leaves, nextPage }: BucketPlan): AsyncGenerator<Buffer> {
  const packer = new Packer(leafElementBytes);
  let entries: BoltEntry[] = [];
  let number = firstPage;
  for await (const batch of bucket.entries()) {
    for (const { key, value } of batch) {
      if (packer.beginsPage(key.length + value.length) && entries.length > 0) {
        yield leafPage(number, entries);
        number += packer.closedPages;
        entries = [];
      }
      entries.push({ key, value });
    }
    entries = entries.map(({ key, value }) => ({ key: Buffer.from(key), value: Buffer.from(value) }));
  }
  if (entries.length > 0) {
    yield leafPage(number, entries);
    number += packer.pages;
  }
  for (const branch of branchesAbove(leaves, number)) {
    yield branch;
    number++;
  }
  if (number !== nextPage) {
    throw new Error(`the entries of the bucket ${bucket.name} have changed while it was written`);
  }
}

/** Divides entries among pages. A page that one large entry fills has others that belong to it. */
class Packer {
  readonly #elementBytes: number;
  #used = 0;
  #closed = 0;

  constructor(elementBytes: number) {
    this.#elementBytes = elementBytes;
  }

  /** The number of pages that the entries of the current page take. */
  get pages(): number {
    return Math.ceil(this.#used / pageSize);
  }

  /** The number of pages of the last page that another one has followed. */
  get closedPages(): number {
    return this.#closed;
  }

  /** Adds an entry with so many bytes of key and value; reports whether it begins a new page. */
  beginsPage(bytes: number): boolean {
    const length = this.#elementBytes + bytes;
    if (this.#used > 0 && this.#used + length <= pageSize) {
      this.#used += length;
      return false;
    }
    this.#closed = this.pages;
    this.#used = pageHeaderBytes + length;
    return true;
  }
}

/** Yields the branch pages above some pages, level by level; the last one is the root. None for a single page. */
function* branchesAbove(pages: readonly Child[], firstPage: number): Generator<Buffer> {
  let level = pages;
  let number = firstPage;
  while (level.length > 1) {
    const above: Child[] = [];
    for (const children of pagesOfBranches(level)) {
      above.push({ key: (children[0] as Child).key, page: number });
      yield branchPage(number, children);
      number++;
    }
    level = above;
  }
}

function* pagesOfBranches(level: readonly Child[]): Generator<readonly Child[]> {
  const packer = new Packer(branchElementBytes);
  let start = 0;
  for (const [index, { key }] of level.entries()) {
    if (packer.beginsPage(key.length) && index > start) {
      yield level.slice(start, index);
      start = index;
    }
  }
  yield level.slice(start);
}

function page(number: number, flags: number, count = 0, length = pageHeaderBytes): Buffer {
  const pages = Math.ceil(length / pageSize);
  const bytes = Buffer.alloc(pages * pageSize);
  bytes.writeBigUInt64LE(BigInt(number), 0);
  bytes.writeUInt16LE(flags, 8);
  bytes.writeUInt16LE(count, 10);
  bytes.writeUInt32LE(pages - 1, 12);
  return bytes;
}

function leafPage(number: number, entries: readonly BoltEntry[], elementFlags = 0): Buffer {
  let position = pageHeaderBytes + entries.length * leafElementBytes;
  const length = entries.reduce((sum, { key, value }) => sum + key.length + value.length, position);
  const bytes = page(number, leafFlag, entries.length, length);
  for (const [index, { key, value }] of entries.entries()) {
    const element = pageHeaderBytes + index * leafElementBytes;
    bytes.writeUInt32LE(elementFlags, element);
    bytes.writeUInt32LE(position - element, element + 4);
    bytes.writeUInt32LE(key.length, element + 8);
    bytes.writeUInt32LE(value.length, element + 12);
    position += key.copy(bytes, position);
    position += value.copy(bytes, position);
  }
  return bytes;
}

function branchPage(number: number, children: readonly Child[]): Buffer {
  const bytes = page(number, branchFlag, children.length);
  let position = pageHeaderBytes + children.length * branchElementBytes;
  for (const [index, { key, page: child }] of children.entries()) {
    const element = pageHeaderBytes + index * branchElementBytes;
    bytes.writeUInt32LE(position - element, element);
    bytes.writeUInt32LE(key.length, element + 4);
    bytes.writeBigUInt64LE(BigInt(child), element + 8);
    position += key.copy(bytes, position);
  }
  return bytes;
}

/** Returns the page with the names of the buckets and their roots; an empty bucket has its page in its own value. */
function rootOf(plans: readonly BucketPlan[]): Buffer {
  const entries = plans.map(({ bucket: { name }, root }) => {
    const value = Buffer.alloc(root === 0 ? bucketBytes + pageHeaderBytes : bucketBytes);
    if (root === 0) {
      value.writeUInt16LE(leafFlag, bucketBytes + 8);
    }
    value.writeBigUInt64LE(BigInt(root), 0);
    return { key: Buffer.from(name), value };
  });
  return leafPage(rootPage, entries, bucketElementFlag);
}

function metaPage(number: number, pages: number): Buffer {
  const bytes = page(number, metaFlag);
  const meta = bytes.subarray(pageHeaderBytes, pageHeaderBytes + metaBytes);
  meta.writeUInt32LE(boltMagic, 0);
  meta.writeUInt32LE(boltVersion, 4);
  meta.writeUInt32LE(pageSize, 8);
  meta.writeBigUInt64LE(BigInt(rootPage), 16);
  meta.writeBigUInt64LE(BigInt(freeListPage), 32);
  meta.writeBigUInt64LE(BigInt(pages), 40);
  meta.writeBigUInt64LE(BigInt(number), 48); // the transaction: that of the second page counts
  meta.writeBigUInt64LE(fnv1a(meta.subarray(0, 56)), 56);
  return bytes;
}

async function* inPieces(pages: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for await (const one of pages) {
    waiting.push(one);
    bytes += one.length;
    if (bytes >= pieceBytes) {
      yield Buffer.concat(waiting, bytes);
      waiting = [];
      bytes = 0;
    }
  }
  if (bytes > 0) {
    yield Buffer.concat(waiting, bytes);
  }
}
