import SortedTree, { simpleComparator } from "sorted-btree";
import type { CacheEntry } from "./cache-entry.js";

export type EntryTree = SortedTree.default<string, CacheEntry>;

/** `sorted-btree` is a CommonJS module whose class is its default export. */
const Tree = SortedTree as unknown as { default: new (entries?: undefined, compare?: KeyComparator) => EntryTree };

type KeyComparator = (a: string, b: string) => number;

export function newEntryTree(): EntryTree {
  return new Tree.default(undefined, simpleComparator as KeyComparator);
}

/** The objects of a resource at one version. Immutable; cheap to make and to keep, since trees share their nodes. */
export class Snapshot {
  readonly revision: number;
  readonly #tree: EntryTree;

  constructor(revision: number, tree: EntryTree) {
    this.revision = revision;
    this.#tree = tree;
  }

  get(key: string): CacheEntry | undefined {
    return this.#tree.get(key);
  }

  /** Entries whose keys start with `prefix`, in key order, from `fromKey` on when given. */
  *entries(prefix: string, fromKey?: string): Generator<CacheEntry> {
    for (const entry of this.#tree.values(firstKey(prefix, fromKey))) {
      if (!entry.key.startsWith(prefix)) {
        return;
      }
      yield entry;
    }
  }

  /** Up to `max` entries as `entries` gives them, but several times as fast. */
  take(prefix: string, fromKey: string | undefined, max: number): CacheEntry[] {
    const taken: CacheEntry[] = [];
    const take = (_key: string, entry: CacheEntry): typeof stop | undefined => {
      taken.push(entry);
      return taken.length >= max ? stop : undefined;
    };
    // The tree ends a walk whose callback returns an object, which its types do not tell.
    this.#tree.forRange(firstKey(prefix, fromKey), `${prefix}\uffff`, false, take as () => void);
    return taken;
  }

  /** How many entries `entries` would give, without looking at each. */
  count(prefix: string, fromKey?: string): number {
    return this.#tree.forRange(firstKey(prefix, fromKey), `${prefix}\uffff`, false, undefined, 0) as number;
  }
}

const stop = { break: 0 };

function firstKey(prefix: string, fromKey: string | undefined): string {
  return fromKey === undefined || fromKey < prefix ? prefix : fromKey;
}

/** The least key after this one: nothing lies between a key and itself with a NUL behind. */
export function keyAfter(key: string): string {
  return `${key}\0`;
}
