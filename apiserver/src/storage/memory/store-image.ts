import SortedTree from "sorted-btree";
import { RevisionCompactedError } from "../../errors/errors.js";
import type { KeyValue, Store } from "../store.js";
import { compareStoreKeys } from "./compare-store-keys.js";

/** Keys and their values, in key order. A clone shares its nodes with the original until one of them is written to. */
export type ValueTree = SortedTree.default<string, KeyValue>;

/** The constructor of `sorted-btree`, a CommonJS module whose class is its default export. */
const Tree = SortedTree as unknown as {
  default: new (entries?: undefined, compare?: (a: string, b: string) => number) => ValueTree;
};

/** The live keys of a store at one revision. Nobody writes to the tree: who needs to clones it. */
export interface StoreImage {
  readonly revision: number;
  readonly tree: ValueTree;
}

/** Makes a tree without keys. */
export function newValueTree(): ValueTree {
  return new Tree.default(undefined, compareStoreKeys);
}

const pageKeys = 1000;
const maxAttempts = 10;

/**
 * Reads a store as it is now, with the times at which keys expire. Throws StoreDamagedError for a store that is not
 * whole, and RevisionCompactedError when compaction overtakes ten attempts.
 */
export async function readImage(store: Store): Promise<StoreImage> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await readPages(store);
    } catch (error) {
      if (attempt === maxAttempts || !(error instanceof RevisionCompactedError)) {
        throw error;
      }
    }
  }
}

async function readPages(store: Store): Promise<StoreImage> {
  const tree = newValueTree();
  let page = await store.range({ prefix: "", limit: pageKeys, withExpiry: true });
  const { revision } = page;
  for (;;) {
    const [damage] = page.damaged;
    if (damage !== undefined) {
      throw damage;
    }
    for (const kv of page.kvs) {
      tree.set(kv.key, kv);
    }
    if (!page.more) {
      return { revision, tree };
    }
    const startKey = `${tree.maxKey()}\0`;
    page = await store.range({ prefix: "", startKey, limit: pageKeys, revision, withExpiry: true });
  }
}
