import { branchPage, leafPage, type PageFile, type PageNode, readNodes, type TreeRoot } from "./page-file.js";

/** Callbacks for the parts of a tree. */
export interface TreeVisitor {
  /** An entry, in key order. `value` is undefined when the pages that it should be on are not what they should be. */
  entry?(key: Buffer, value: Buffer | undefined, isTable: boolean): void;
  /** Called with one sentence when the tree is damaged; entries that should be there may be missing. */
  problem(what: string): void;
}

/** The parts of a tree to read; everything but large values by default. */
export interface WalkOptions {
  /** True to read the branches only: much less to read where values are in the leaves. */
  readonly skipLeaves?: boolean;
  /** True to read values that have pages of their own. */
  readonly readValues?: boolean;
  /** True if keys are numbers in the machine's byte order, as in the list of free pages. */
  readonly hasNumericKeys?: boolean;
}

/** Goes through one B-tree of a data file in key order, believing nothing that it reads. */
export function walkTree(file: PageFile, root: TreeRoot, visitor: TreeVisitor, options: WalkOptions = {}): void {
  new TreeWalk(file, visitor, options).run(root);
}

class TreeWalk {
  readonly #file: PageFile;
  readonly #visitor: TreeVisitor;
  readonly #options: WalkOptions;
  #entries = 0;
  #problems = 0;
  /** The last key of the leaf before; undefined in the first one. */
  #last: Buffer | undefined;

  constructor(file: PageFile, visitor: TreeVisitor, options: WalkOptions) {
    this.#file = file;
    this.#visitor = visitor;
    this.#options = options;
  }

  run(root: TreeRoot): void {
    if (root.page !== undefined) {
      this.#page(root.page, root.depth);
    }
    if (this.#options.skipLeaves !== true && this.#problems === 0 && this.#entries !== root.entries) {
      this.#problem(`it has ${this.#entries} entries where ${root.entries} are said to be`);
    }
  }

  /** Walks through a page and those below it. `depth` is 1 for a leaf, which bounds a walk through damaged pages. */
  #page(number: number, depth: number): void {
    if (depth <= 1 && this.#options.skipLeaves === true) {
      return;
    }
    const kind = depth > 1 ? branchPage : leafPage;
    const page = depth < 1 || number < 2 || number >= this.#file.pages ? undefined : this.#file.page(number);
    const nodes = page === undefined ? undefined : readNodes(page, number, kind);
    if (page === undefined || nodes === undefined) {
      this.#problem(`page ${number} is not a whole ${kind === branchPage ? "branch" : "leaf"}`);
    } else if (kind === branchPage) {
      for (const node of nodes) {
        this.#page(node.page as number, depth - 1);
      }
    } else {
      this.#leaf(number, page, nodes);
    }
  }

  /** Goes through the nodes of a leaf. There are so many that none gets buffers of its own unless it is wanted. */
  #leaf(number: number, page: Buffer, nodes: readonly PageNode[]): void {
    let last = this.#last;
    let start = 0;
    let end = last?.length ?? 0;
    for (const node of nodes) {
      if (last !== undefined && !this.#isAscending(last, start, end, page, node)) {
        this.#problem(`the keys of page ${number} are out of order`);
        return;
      }
      last = page;
      start = node.keyStart;
      end = node.keyEnd;
      this.#entries++;
      this.#visitor.entry?.(
        Buffer.from(page.subarray(node.keyStart, node.keyEnd)),
        this.#valueOf(page, node),
        node.isTable,
      );
    }
    // The page is overwritten by the next one.
    this.#last = last === undefined ? undefined : Buffer.from(last.subarray(start, end));
  }

  #isAscending(last: Buffer, start: number, end: number, page: Buffer, { keyStart, keyEnd }: PageNode): boolean {
    if (this.#options.hasNumericKeys === true && end - start === 8 && keyEnd - keyStart === 8) {
      return last.readBigUInt64LE(start) < page.readBigUInt64LE(keyStart);
    }
    return compareBytes(last, start, end, page, keyStart, keyEnd) < 0;
  }

  #valueOf(page: Buffer, { keyEnd, valueEnd, page: overflow, valueBytes }: PageNode): Buffer | undefined {
    if (overflow === undefined) {
      return page.subarray(keyEnd, valueEnd);
    }
    return this.#options.readValues === true ? this.#file.overflow(overflow, valueBytes) : undefined;
  }

  #problem(what: string): void {
    this.#problems++;
    this.#visitor.problem(what);
  }
}

/** Compares parts of two buffers as `Buffer.compare` does, whose call costs more than to go through a key. */
function compareBytes(a: Buffer, aStart: number, aEnd: number, b: Buffer, bStart: number, bEnd: number): number {
  const length = Math.min(aEnd - aStart, bEnd - bStart);
  for (let i = 0; i < length; i++) {
    const difference = (a[aStart + i] as number) - (b[bStart + i] as number);
    if (difference !== 0) {
      return difference;
    }
  }
  return aEnd - aStart - (bEnd - bStart);
}
