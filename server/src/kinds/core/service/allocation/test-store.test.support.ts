import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NumberRange } from "@gatehouse/apiserver/options";
import type { Store } from "@gatehouse/apiserver/storage";
import { openLmdbStore } from "@gatehouse/apiserver/storage/lmdb";
import { Bitmap } from "./bitmap.js";
import { decodeRange, encodeRange } from "./range-record.js";

/** A real store in a temporary directory. */
export interface TestStore extends AsyncDisposable {
  readonly store: Store;
}

export async function openTestStore(): Promise<TestStore> {
  const directory = await mkdtemp(join(tmpdir(), "ranges-"));
  const store = await openLmdbStore({ directory: join(directory, "data") });
  return {
    store,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await rm(directory, { recursive: true });
    },
  };
}

/** Stores a range with some of its numbers taken. */
export async function putRange(
  store: Store,
  key: string,
  range: NumberRange,
  taken: readonly number[] = [],
): Promise<void> {
  const bitmap = new Bitmap(range.size);
  for (const number of taken) {
    bitmap.add(number - range.first);
  }
  const { kv } = await store.get(key);
  await store.put(key, encodeRange(range, bitmap), { expectedRevision: kv?.modRevision ?? 0 });
}

/** Returns the taken numbers of a range. */
export async function takenOf(store: Store, key: string, range: NumberRange): Promise<readonly number[]> {
  const { kv } = await store.get(key);
  if (kv === undefined) {
    throw new Error(`there is nothing at ${key}`);
  }
  const record = decodeRange(kv.value);
  return [...Bitmap.decode(range.size, record.taken).numbers()].map((offset) => range.first + offset);
}
