import SortedTree, { simpleComparator } from "sorted-btree";
import type { StoreDamagedError } from "../store-condition.js";
import type { CacheEntry } from "./cache-entry.js";

/** Objects by key, in key order. */
export type EntryTree = SortedTree.default<string, CacheEntry>;

/** `sorted-btree` is a CommonJS module whose class is its default export. */
const Tree = SortedTree as unknown as { default: new (entries?: undefined, compare?: KeyComparator) => EntryTree };

type KeyComparator = (a: string, b: string) => number;

export function newEntryTree(): EntryTree {
  return new Tree.default(undefined, simpleComparator as KeyComparator);
}

/** Keys that exist but whose data is damaged, and how. */
export type DamagedKeys = ReadonlyMap<string, StoreDamagedError>;

/** The rule. */
export const noDamage: DamagedKeys = new Map();

/**
 * The objects of a resource at one version. Immutable; cheap to make and to keep, since trees share their nodes. A read
 * that would leave out a damaged object throws its StoreDamagedError: nobody may take what is damaged for what is deleted.
 */
export class Snapshot {
  readonly revision: number;
  readonly #tree: EntryTree;
  readonly #damaged: DamagedKeys;

  constructor(revision: number, tree: EntryTree, damaged: DamagedKeys) {
    this.revision = revision;
    this.#tree = tree;
    this.#damaged = damaged;
  }

  /** One entry. */
  get(key: string): CacheEntry | undefined {
    const damage = this.#damaged.get(key);
    if (damage !== undefined) {
      throw damage;
    }
    return this.#tree.get(key);
  }

  /** Entries whose keys start with `prefix`, in key order, after `afterKey` when given. */
  entries(prefix: string, afterKey?: string): Generator<CacheEntry> {
    this.#refuseDamaged(prefix, afterKey);
    return this.wholeEntries(prefix, afterKey);
  }

  /** As `entries`, for those who follow what there is and can do without what is damaged. */
  *wholeEntries(prefix: string, afterKey?: string): Generator<CacheEntry> {
    for (const entry of this.#tree.values(firstKey(prefix, afterKey))) {
      if (!entry.key.startsWith(prefix)) {
        return;
      }
      yield entry;
    }
  }

  /** Up to `max` of the entries that `wants` accepts, as `entries` gives them, but several times as fast. */
  take(
    prefix: string,
    afterKey: string | undefined,
    wants: ((entry: CacheEntry) => boolean) | undefined,
    max: number,
  ): CacheEntry[] {
    this.#refuseDamaged(prefix, afterKey);
    const taken: CacheEntry[] = [];
    const take = (_key: string, entry: CacheEntry): typeof stop | undefined => {
      if (wants === undefined || wants(entry)) {
        taken.push(entry);
        return taken.length >= max ? stop : undefined;
      }
      return undefined;
    };
    // The tree ends a walk whose callback returns an object, which its types do not tell.
    this.#tree.forRange(firstKey(prefix, afterKey), `${prefix}\uffff`, false, take as () => void);
    return taken;
  }

  /** How many entries there are, damaged ones among them, without looking at each. */
  count(prefix: string, afterKey?: string): number {
    const whole = this.#tree.forRange(firstKey(prefix, afterKey), `${prefix}\uffff`, false, undefined, 0) as number;
    return whole + this.#damagedUnder(prefix, afterKey).length;
  }

  #refuseDamaged(prefix: string, afterKey: string | undefined): void {
    const [damage] = this.#damagedUnder(prefix, afterKey);
    if (damage !== undefined) {
      throw damage;
    }
  }

  #damagedUnder(prefix: string, afterKey: string | undefined): readonly StoreDamagedError[] {
    if (this.#damaged.size === 0) {
      return [];
    }
    const first = firstKey(prefix, afterKey);
    return [...this.#damaged].filter(([key]) => key.startsWith(prefix) && key >= first).map(([, damage]) => damage);
  }
}

const stop = { break: 0 };

/** The least key that can come. Nothing lies between a key and itself with a NUL behind. */
function firstKey(prefix: string, afterKey: string | undefined): string {
  return afterKey === undefined || afterKey < prefix ? prefix : `${afterKey}\0`;
}
