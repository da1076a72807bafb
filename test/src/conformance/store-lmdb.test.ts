import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Store } from "@gatehouse/apiserver/storage";
import { type LmdbStoreOptions, openLmdbStore } from "@gatehouse/apiserver/storage/lmdb";
import { transformedStore, type ValueTransformer } from "@gatehouse/apiserver/storage/values";
import { describeStoreContract, type StoreFixture } from "@gatehouse/testing/store-contract";

async function createLmdbFixture(
  options: Partial<LmdbStoreOptions> = {},
  open: (store: Store) => Store = (store) => store,
): Promise<StoreFixture> {
  const directory = await mkdtemp(join(tmpdir(), "gatehouse-store-"));
  const stores: Store[] = [];
  return {
    open: async () => {
      const store = open(await openLmdbStore({ ...options, directory: join(directory, "data"), sweepIntervalMs: 50 }));
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

/** Inverts every bit, and takes its time to read back every third value, as one does that asks another process. */
function invert(): ValueTransformer {
  let reads = 0;
  const inverted = (value: Buffer): Buffer => value.map((byte) => ~byte) as Buffer;
  return {
    toStored: (_key, value) => inverted(value),
    fromStored(_key, stored) {
      const read = { value: inverted(stored), isStale: false };
      return ++reads % 3 === 0 ? setImmediate(read) : read;
    },
  };
}

describeStoreContract("lmdb, values transformed", () =>
  createLmdbFixture({}, (store) => transformedStore(store, invert())),
);

const invertAtOnce: ValueTransformer = {
  isImmediate: true,
  toStored: (_key, value) => value.map((byte) => ~byte) as Buffer,
  fromStored: (_key, stored) => ({ value: stored.map((byte) => ~byte) as Buffer, isStale: false }),
};

describeStoreContract("lmdb, values transformed at once", () =>
  createLmdbFixture({}, (store) => transformedStore(store, invertAtOnce)),
);
