import { RevisionCompactedError, type StoreDamagedError } from "../../errors/errors.js";
import type { KeyValue, Store } from "../store.js";

/** A page is read with so many keys at first, and then with as many as come to about `pageBytes`. */
const firstPageKeys = 256;
const maxPageKeys = 10_000;
const pageBytes = 8 * 2 ** 20;

/** One page of a store's keys. */
export interface StorePage {
  readonly kvs: readonly KeyValue[];
  readonly damaged: readonly StoreDamagedError[];
}

/**
 * Yields all keys under `prefix` as of `revision`, in pages, in key order, each with its expiry time. Memory is bounded by
 * the size of a page. Throws RevisionCompactedError when the store forgets the revision meanwhile.
 */
export async function* readStore(
  store: Store,
  { prefix, revision }: { readonly prefix: string; readonly revision: number },
): AsyncGenerator<StorePage> {
  let startKey = prefix;
  let limit = firstPageKeys;
  for (;;) {
    const { kvs, damaged, more } = await store.range({ prefix, startKey, limit, revision, withExpiry: true });
    yield { kvs, damaged };
    if (!more) {
      return;
    }
    startKey = `${laterKey(kvs.at(-1)?.key, damaged.at(-1)?.key)}\0`;
    limit = nextLimit(kvs, limit);
  }
}

/** Returns the error for a store that has forgotten what was to be read, with the remedy; any other error as it is. */
export function forgotten(error: unknown, explain: (compactRevision: number) => Error): unknown {
  return error instanceof RevisionCompactedError ? explain(error.compactRevision) : error;
}

function laterKey(first = "", second = ""): string {
  return Buffer.compare(Buffer.from(first), Buffer.from(second)) > 0 ? first : second;
}

function nextLimit(kvs: readonly KeyValue[], limit: number): number {
  const bytes = kvs.reduce((sum, { key, value }) => sum + key.length + value.length, 1);
  return Math.max(1, Math.min(maxPageKeys, 2 * limit, Math.floor((pageBytes * kvs.length) / bytes)));
}
