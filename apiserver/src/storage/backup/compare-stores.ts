import type { KeyValue, Store } from "../store.js";
import { readStore } from "./read-store.js";

/** The keys of a store as of one revision. */
export interface StoreState {
  readonly store: Store;
  readonly prefix: string;
  readonly revision: number;
}

/** The result of a comparison of two stores, key by key. */
export interface StoreComparison {
  /** Number of keys that are the same in both. */
  readonly sameKeys: number;
  /** One sentence for each of the first keys that differ. */
  readonly differences: readonly string[];
  readonly differentKeys: number;
}

/** Largest number of differences that are named. */
const maxNamed = 100;

/**
 * Compares all keys of two stores and their values, reading both in the order of the keys. Revisions are not compared. A
 * key that expires may be missing in one of them. `advance` gets the number of keys since the last call.
 */
export async function compareStores(
  source: StoreState,
  target: StoreState,
  advance: (keys: number) => void = () => {},
): Promise<StoreComparison> {
  const differences: string[] = [];
  let sameKeys = 0;
  let differentKeys = 0;
  const differ = (key: string, what: string): void => {
    if (differences.length < maxNamed) {
      differences.push(`${JSON.stringify(key)} ${what}`);
    }
    differentKeys++;
  };
  const [left, right] = [keysOf(source), keysOf(target)];
  let [one, other] = [await left.next(), await right.next()];
  while (one.done !== true || other.done !== true) {
    const order = orderOf(one.value, other.value);
    if (order === 0) {
      const isSame = one.value?.value.equals(other.value?.value ?? noBytes) === true;
      if (isSame) {
        sameKeys++;
      } else {
        differ(one.value?.key ?? "", "has another value");
      }
      advance(1);
      [one, other] = [await left.next(), await right.next()];
    } else if (order < 0) {
      if (one.value?.expiresAtMs === undefined) {
        differ(one.value?.key ?? "", "is missing in the target");
      }
      advance(1);
      one = await left.next();
    } else {
      if (other.value?.expiresAtMs === undefined) {
        differ(other.value?.key ?? "", "is not in the source");
      }
      other = await right.next();
    }
  }
  return { sameKeys, differences, differentKeys };
}

const noBytes = Buffer.alloc(0);

/** Yields the keys in their order. Throws the damage of the first key that is damaged. */
async function* keysOf({ store, prefix, revision }: StoreState): AsyncGenerator<KeyValue, undefined> {
  for await (const { kvs, damaged } of readStore(store, { prefix, revision })) {
    const [first] = damaged;
    if (first !== undefined) {
      throw first;
    }
    yield* kvs;
  }
  return undefined;
}

/** Compares two keys by their bytes; the end of a store comes after all keys. */
function orderOf(one: KeyValue | undefined, other: KeyValue | undefined): number {
  if (one === undefined || other === undefined) {
    return one === undefined ? 1 : -1;
  }
  return Buffer.compare(Buffer.from(one.key), Buffer.from(other.key));
}
