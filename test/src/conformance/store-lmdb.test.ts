import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@gatehouse/apiserver/storage";
import { type LmdbStoreOptions, openLmdbStore } from "@gatehouse/apiserver/storage/lmdb";
import { describeStoreContract, type StoreFixture } from "@gatehouse/testing/store-contract";

async function createLmdbFixture(options: Partial<LmdbStoreOptions> = {}): Promise<StoreFixture> {
  const directory = await mkdtemp(join(tmpdir(), "gatehouse-store-"));
  const stores: Store[] = [];
  return {
    open: async () => {
      const store = await openLmdbStore({ ...options, directory: join(directory, "data"), sweepIntervalMs: 50 });
      stores.push(store);
      return store;
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(stores.map((store) => store[Symbol.asyncDispose]()));
      await rm(directory, { recursive: true, force: true });
    },
  };
}

describeStoreContract("lmdb", () => createLmdbFixture());

// What the store does every few seconds under load to give resident memory back, done whenever nobody uses the file.
const mappingLimits = { maxResidentBytes: Number.NEGATIVE_INFINITY, checkIntervalMs: 0 };
describeStoreContract("lmdb, mapped anew all the time", () => createLmdbFixture({ mappingLimits }));
