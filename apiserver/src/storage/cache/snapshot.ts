import SortedTree, { simpleComparator } from "sorted-btree";
import type { StoreDamagedError } from "../../errors/errors.js";
import type { CacheEntry } from "./cache-entry.js";

/** Objects by key, in key order. */
export type EntryTree = SortedTree.default<string, CacheEntry>;

/** The constructor of `sorted-btree`, a CommonJS module whose class is its default export. */
const Tree = SortedTree as unknown as { default: new (entries?: undefined, compare?: KeyComparator) => EntryTree };

type KeyComparator = (a: string, b: string) => number;

/** Makes an empty tree. */
export function newEntryTree(): EntryTree {
  return new Tree.default(undefined, simpleComparator as KeyComparator);
}

/** Keys that exist but whose data is damaged, and how. */
export type DamagedKeys = ReadonlyMap<string, StoreDamagedError>;

/** The rule. */
export const noDamage: DamagedKeys = new Map();

/**
 * The objects of a resource at one version. Immutable; cheap to make and to keep, since trees share their nodes. A read
 * that would leave out a damaged object throws its StoreDamagedError, so that no client takes a damaged object for a
 * deleted one.
 */
export class Snapshot {
  readonly revision: number;
  readonly #tree: EntryTree;
  readonly #damaged: DamagedKeys;
  /** The last count. */
  #counted: Counted | undefined;

  constructor(revision: number, tree: EntryTree, damaged: DamagedKeys) {
    this.revision = revision;
    this.#tree = tree;
    this.#damaged = damaged;
  }

  /** Returns the entry of a key. */
  get(key: string): CacheEntry | undefined {
    const damage = this.#damaged.get(key);
    if (damage !== undefined) {
      throw damage;
    }
    return this.#tree.get(key);
  }

  /** Yields the entries whose keys start with `prefix`, in key order, from `fromKey` on when given. */
  entries(prefix: string, fromKey?: string): Generator<CacheEntry> {
    this.#refuseDamaged(prefix, fromKey);
    return this.wholeEntries(prefix, fromKey);
  }

  /** Yields the entries without damaged ones, for followers that can do without those. */
  *wholeEntries(prefix: string, fromKey?: string): Generator<CacheEntry> {
    for (const entry of this.#tree.values(firstKey(prefix, fromKey))) {
      if (!entry.key.startsWith(prefix)) {
        return;
      }
      yield entry;
    }
  }

  /** Returns up to `max` entries as `entries` yields them, but several times as fast. */
  take(prefix: string, fromKey: string | undefined, max: number): CacheEntry[] {
    this.#refuseDamaged(prefix, fromKey);
    const taken: CacheEntry[] = [];
    const take = (_key: string, entry: CacheEntry): typeof stop | undefined => {
      taken.push(entry);
      return taken.length >= max ? stop : undefined;
    };
    // The tree ends a walk whose callback returns an object, which its types do not tell.
    this.#tree.forRange(firstKey(prefix, fromKey), endOf(prefix), false, take as () => void);
    return taken;
  }

  /**
   * Returns the number of entries, damaged ones included, without reading each. Those of a whole resource are known, and those
   * of the next page of a list are counted from those of the last one: of a million it takes 40 ms to count all.
   */
  count(prefix: string, fromKey?: string): number {
    const first = minOf(firstKey(prefix, fromKey), endOf(prefix));
    const known = this.#counted?.prefix === prefix ? this.#counted : this.#countWhole(prefix);
    const count = known.count - this.#between(known.first, first) + this.#between(first, known.first);
    this.#counted = { prefix, first, count };
    return count + this.#damagedUnder(prefix, fromKey).length;
  }

  #countWhole(prefix: string): Counted {
    const isAll = [this.#tree.minKey(), this.#tree.maxKey()].every(
      (key) => key === undefined || key.startsWith(prefix),
    );
    const count = isAll ? this.#tree.size : this.#between(prefix, endOf(prefix));
    return { prefix, first: prefix, count };
  }

  /** Returns the number of keys from `first` on, and before `end`. */
  #between(first: string, end: string): number {
    return first < end ? (this.#tree.forRange(first, end, false, undefined, 0) as number) : 0;
  }

  #refuseDamaged(prefix: string, fromKey: string | undefined): void {
    const [damage] = this.#damagedUnder(prefix, fromKey);
    if (damage !== undefined) {
      throw damage;
    }
  }

  #damagedUnder(prefix: string, fromKey: string | undefined): readonly StoreDamagedError[] {
    if (this.#damaged.size === 0) {
      return [];
    }
    const first = firstKey(prefix, fromKey);
    return [...this.#damaged].filter(([key]) => key.startsWith(prefix) && key >= first).map(([, damage]) => damage);
  }
}

/** Number of the keys with a prefix from a first one on. */
interface Counted {
  readonly prefix: string;
  readonly first: string;
  readonly count: number;
}

const stop = { break: 0 };

function firstKey(prefix: string, fromKey: string | undefined): string {
  return fromKey === undefined || fromKey < prefix ? prefix : fromKey;
}

/** Returns a key behind all that start with the prefix. */
function endOf(prefix: string): string {
  return `${prefix}\uffff`;
}

function minOf(a: string, b: string): string {
  return a < b ? a : b;
}

/** Returns the least key after this one: nothing lies between a key and itself with a NUL behind. */
export function keyAfter(key: string): string {
  return `${key}\0`;
}
