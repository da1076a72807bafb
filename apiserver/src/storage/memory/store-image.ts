import SortedTree from "sorted-btree";
import { RevisionCompactedError } from "../../errors/errors.js";
import type { KeyValue, Store, StoreEvent } from "../store.js";
import { compareStoreKeys } from "./compare-store-keys.js";

/** Keys and their values, in key order. A clone shares its nodes with the original until one of them is written to. */
export type ValueTree = SortedTree.default<string, KeyValue>;

/** The constructor of `sorted-btree`, a CommonJS module whose class is its default export. */
const Tree = SortedTree as unknown as {
  default: new (entries?: undefined, compare?: (a: string, b: string) => number) => ValueTree;
};

/** The live keys of a store, or of a part of it, at one revision. Nobody writes to the tree: who needs to clones it. */
export interface StoreImage {
  readonly revision: number;
  readonly tree: ValueTree;
}

type PutEvent = Extract<StoreEvent, { readonly type: "put" }>;

/** Makes a tree without keys. */
export function newValueTree(): ValueTree {
  return new Tree.default(undefined, compareStoreKeys);
}

const pageKeys = 1000;
const maxAttempts = 10;

/**
 * Reads the keys of a store under a prefix as they are now, with the times at which keys expire. With an image of earlier, it reads only what has changed
 * since then, where the store still knows it. Throws StoreDamagedError for a store that is not whole, and
 * RevisionCompactedError when compaction overtakes ten attempts.
 */
export async function readImage(store: Store, prefix: string, earlier?: StoreImage): Promise<StoreImage> {
  for (let attempt = 1; ; attempt++) {
    try {
      return earlier === undefined || attempt > 1
        ? await readPages(store, prefix)
        : await readChanges(store, prefix, earlier);
    } catch (error) {
      if (attempt === maxAttempts || !(error instanceof RevisionCompactedError)) {
        throw error;
      }
    }
  }
}

async function readChanges(store: Store, prefix: string, earlier: StoreImage): Promise<StoreImage> {
  const target = await store.currentRevision();
  if (target === earlier.revision) {
    return earlier;
  }
  const tree = earlier.tree.clone();
  const stop = new AbortController();
  let { revision } = earlier;
  for await (const batch of store.watch({ prefix, afterRevision: revision, signal: stop.signal, withExpiry: true })) {
    for (const event of batch.events) {
      if (event.type === "delete") {
        tree.delete(event.key);
      } else {
        tree.set(event.key, keyValueOf(event));
      }
    }
    revision = batch.revision;
    if (revision >= target) {
      stop.abort();
    }
  }
  return { revision, tree };
}

function keyValueOf({ key, value, createRevision, revision, expiresAtMs }: PutEvent): KeyValue {
  return { key, value, createRevision, modRevision: revision, ...(expiresAtMs === undefined ? {} : { expiresAtMs }) };
}

async function readPages(store: Store, prefix: string): Promise<StoreImage> {
  const tree = newValueTree();
  let page = await store.range({ prefix, limit: pageKeys, withExpiry: true });
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
    page = await store.range({ prefix, startKey, limit: pageKeys, revision, withExpiry: true });
  }
}
