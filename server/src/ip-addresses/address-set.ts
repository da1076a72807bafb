/** Addresses that are decided by the last byte of theirs. */
const leafSize = 256;

/** 256 addresses that differ in the last byte. */
interface Leaf {
  readonly bits: Uint32Array;
  count: number;
}

/** Addresses with the same first bytes, by the next one. */
interface Branch {
  readonly children: Map<number, TreeNode>;
  /** Number of children all of whose addresses are in the set. */
  fullCount: number;
}

type TreeNode = Leaf | Branch;

/**
 * A set of addresses, in which the next one that is not in it is found at a cost that does not depend on how many are: a tree
 * by their bytes, whose full parts are passed over.
 */
export class AddressSet {
  readonly #depth: number;
  #root: TreeNode;

  /** `bits`: the length of an address, 32 or 128. */
  constructor(bits: number) {
    this.#depth = bits / 8 - 1;
    this.#root = newNode(this.#depth);
  }

  add(address: bigint): void {
    change(this.#root, this.#depth, address, true);
  }

  delete(address: bigint): void {
    change(this.#root, this.#depth, address, false);
  }

  /** Returns the lowest address from `first` to `last` that is not in the set; undefined if all are. */
  nextFree(first: bigint, last: bigint): bigint | undefined {
    const free = first > last ? undefined : nextFreeOf(this.#root, this.#depth, 0n, first);
    return free !== undefined && free <= last ? free : undefined;
  }
}

/** `height`: the number of bytes that follow the one by which the node decides. */
function newNode(height: number): TreeNode {
  return height === 0 ? { bits: new Uint32Array(leafSize / 32), count: 0 } : { children: new Map(), fullCount: 0 };
}

function isFull(node: TreeNode): boolean {
  return ("count" in node ? node.count : node.fullCount) === leafSize;
}

function isEmpty(node: TreeNode): boolean {
  return ("count" in node ? node.count : node.children.size) === 0;
}

function byteOf(address: bigint, height: number): number {
  return Number((address >> BigInt(8 * height)) & 0xffn);
}

function change(node: TreeNode, height: number, address: bigint, isAdded: boolean): void {
  const byte = byteOf(address, height);
  if ("count" in node) {
    const bit = 1 << (byte & 31);
    const at = byte >> 5;
    const word = node.bits[at] as number;
    if (((word & bit) !== 0) !== isAdded) {
      node.bits[at] = word ^ bit;
      node.count += isAdded ? 1 : -1;
    }
    return;
  }
  let child = node.children.get(byte);
  if (child === undefined) {
    if (!isAdded) {
      return;
    }
    child = newNode(height - 1);
    node.children.set(byte, child);
  }
  const wasFull = isFull(child);
  change(child, height - 1, address, isAdded);
  node.fullCount += Number(isFull(child)) - Number(wasFull);
  if (isEmpty(child)) {
    node.children.delete(byte);
  }
}

/** Returns the lowest address from `from` on that is not in a node. `base`: the lowest address that could be in it. */
function nextFreeOf(node: TreeNode, height: number, base: bigint, from: bigint): bigint | undefined {
  if (isFull(node)) {
    return undefined;
  }
  const start = byteOf(from, height);
  for (let byte = start; byte < leafSize; byte++) {
    if ("count" in node) {
      if (((node.bits[byte >> 5] as number) & (1 << (byte & 31))) === 0) {
        return base + BigInt(byte);
      }
      continue;
    }
    const child = node.children.get(byte);
    if (child !== undefined && isFull(child)) {
      continue;
    }
    const childBase = base + (BigInt(byte) << BigInt(8 * height));
    const childFrom = byte === start && from > childBase ? from : childBase;
    const free = child === undefined ? childFrom : nextFreeOf(child, height - 1, childBase, childFrom);
    if (free !== undefined) {
      return free;
    }
  }
  return undefined;
}
