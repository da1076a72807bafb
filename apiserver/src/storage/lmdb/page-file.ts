import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/**
 * Sizes and offsets of LMDB's pages (data format 2, as lmdb 3 writes it); little-endian, as on every supported machine.
 */
const pageHeaderBytes = 24;
const metaLastTransaction = 152;
const freeTable = 48;
const mainTable = 96;
const tableBytes = 48;

/** The start of one B-tree, as its parent states it. */
export interface TreeRoot {
  /** Number of the root page; undefined when the tree is empty. */
  readonly page: number | undefined;
  readonly depth: number;
  readonly entries: number;
}

/** The newest state of a data file, as its meta pages say. */
export interface FileState {
  readonly transaction: bigint;
  /** The list of free pages. */
  readonly free: TreeRoot;
  /** The names of the tables. */
  readonly main: TreeRoot;
}

/** Reads pages of LMDB's data file without LMDB, which trusts them and crashes where they are damaged. */
export class PageFile implements Disposable {
  readonly pageSize: number;
  readonly #file: number;
  readonly #page: Buffer;
  #pages = 0;

  /** The caller has found no dataFileProblem with it. */
  constructor(path: string) {
    this.#file = openSync(path, "r");
    const head = Buffer.alloc(4);
    readSync(this.#file, head, 0, 4, freeTable);
    this.pageSize = head.readUInt32LE(0);
    this.#page = Buffer.alloc(this.pageSize);
  }

  /** Number of pages that the file had when its state was last read. */
  get pages(): number {
    return this.#pages;
  }

  /** Returns the state of the newer meta page. */
  state(): FileState {
    const metas = [0, 1].map((number) => {
      const meta = Buffer.alloc(metaLastTransaction + 8);
      readSync(this.#file, meta, 0, meta.length, number * this.pageSize);
      return { meta, transaction: meta.readBigUInt64LE(metaLastTransaction) };
    });
    const [first, second] = metas as [(typeof metas)[0], (typeof metas)[0]];
    this.#pages = Math.floor(fstatSync(this.#file).size / this.pageSize);
    const { meta, transaction } = first.transaction > second.transaction ? first : second;
    return {
      transaction,
      free: readRoot(meta.subarray(freeTable, freeTable + tableBytes)),
      main: readRoot(meta.subarray(mainTable, mainTable + tableBytes)),
    };
  }

  /** Returns one page, in a buffer that the next call overwrites; undefined beyond the end of the file. */
  page(number: number): Buffer | undefined {
    const position = number * this.pageSize;
    return readSync(this.#file, this.#page, 0, this.pageSize, position) === this.pageSize ? this.#page : undefined;
  }

  /** Returns the content of an overflow page and those that follow it; undefined when there is something else. */
  overflow(number: number, length: number): Buffer | undefined {
    const bytes = Buffer.allocUnsafe(pageHeaderBytes + length);
    const isThere = readSync(this.#file, bytes, 0, bytes.length, number * this.pageSize) === bytes.length;
    return isThere && pageNumber(bytes) === number && (pageFlags(bytes) & overflowPage) !== 0
      ? bytes.subarray(pageHeaderBytes)
      : undefined;
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }
}

/** Kinds of pages. */
export const branchPage = 0x01;
/** Holds keys and values, where a branch page leads to other pages. */
export const leafPage = 0x02;
const overflowPage = 0x04;

/** Returns the page number in the header of a page. */
function pageNumber(page: Buffer): number {
  return Number(page.readBigUInt64LE(0));
}

/** Returns the flags in the header of a page. */
function pageFlags(page: Buffer): number {
  return page.readUInt16LE(18);
}

/** Decodes a table's record of the main table. */
export function readRoot(record: Buffer): TreeRoot {
  const page = record.readBigUInt64LE(40);
  return {
    depth: record.readUInt16LE(6),
    entries: Number(record.readBigUInt64LE(32)),
    page: page === 2n ** 64n - 1n ? undefined : Number(page),
  };
}

/** One node of a branch or leaf page: where its key and its value are in the bytes of the page. */
export interface PageNode {
  readonly keyStart: number;
  /** Index after the last byte of the key, where the value starts. */
  readonly keyEnd: number;
  readonly valueEnd: number;
  /** The page below, for a branch; the first overflow page, for a leaf; undefined when the value is in this page. */
  readonly page: number | undefined;
  /** Length of a leaf's value, wherever it is. */
  readonly valueBytes: number;
  /** True if the value describes a table. */
  readonly isTable: boolean;
}

const bigValue = 0x01;
const tableValue = 0x02;

/**
 * Returns the nodes of a page, in order; undefined when the page is not a whole branch or leaf page with this number.
 */
export function readNodes(page: Buffer, number: number, kind: number): PageNode[] | undefined {
  const lower = page.readUInt16LE(20);
  const upper = page.readUInt16LE(22);
  const room = page.length - pageHeaderBytes;
  if (pageNumber(page) !== number || pageFlags(page) !== kind || lower % 2 !== 0 || lower > upper || upper > room) {
    return undefined;
  }
  const nodes: PageNode[] = [];
  for (let i = 0; i < lower / 2; i++) {
    const at = page.readUInt16LE(pageHeaderBytes + 2 * i);
    const node = at < upper ? undefined : readNode(page, pageHeaderBytes + at, kind);
    if (node === undefined) {
      return undefined;
    }
    nodes.push(node);
  }
  return nodes;
}

function readNode(page: Buffer, start: number, kind: number): PageNode | undefined {
  if (start + 8 > page.length) {
    return undefined;
  }
  const low = page.readUInt32LE(start);
  const flags = page.readUInt16LE(start + 4);
  const valueStart = start + 8 + page.readUInt16LE(start + 6);
  const isBig = kind === leafPage && (flags & bigValue) !== 0;
  const valueEnd = valueStart + (kind === branchPage ? 0 : isBig ? 24 : low);
  if (valueEnd > page.length || (kind === leafPage && (flags & ~(bigValue | tableValue)) !== 0)) {
    return undefined;
  }
  const below = isBig ? Number(page.readBigUInt64LE(valueStart)) : undefined;
  return {
    keyStart: start + 8,
    keyEnd: valueStart,
    valueEnd,
    page: kind === branchPage ? low + flags * 2 ** 32 : below,
    valueBytes: kind === branchPage ? 0 : low,
    isTable: kind === leafPage && (flags & tableValue) !== 0,
  };
}
