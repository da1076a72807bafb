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
    // Nodes of a branch outlive the buffer that the pages below are read into.
    const nodes =
      page === undefined ? undefined : readNodes(kind === branchPage ? Buffer.from(page) : page, number, kind);
    if (nodes === undefined) {
      this.#problem(`page ${number} is not a whole ${kind === branchPage ? "branch" : "leaf"}`);
    } else if (kind === branchPage) {
      for (const node of nodes) {
        this.#page(node.page as number, depth - 1);
      }
    } else {
      this.#leaf(number, nodes);
    }
  }

  #leaf(number: number, nodes: readonly PageNode[]): void {
    for (const node of nodes) {
      const order = this.#last === undefined ? -1 : this.#compare(this.#last, node.key);
      if (order >= 0) {
        this.#problem(`the keys of page ${number} are out of order`);
        return;
      }
      this.#last = Buffer.from(node.key);
      this.#entries++;
      this.#visitor.entry?.(this.#last, this.#valueOf(node), node.isTable);
    }
  }

  #compare(a: Buffer, b: Buffer): number {
    if (this.#options.hasNumericKeys === true && a.length === 8 && b.length === 8) {
      return a.readBigUInt64LE() < b.readBigUInt64LE() ? -1 : 1;
    }
    return Buffer.compare(a, b);
  }

  #valueOf(node: PageNode): Buffer | undefined {
    if (node.page === undefined) {
      return node.value;
    }
    return this.#options.readValues === true ? this.#file.overflow(node.page, node.valueBytes) : undefined;
  }

  #problem(what: string): void {
    this.#problems++;
    this.#visitor.problem(what);
  }
}
