import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { type Store, StoreDamagedError, StoreUnusableError, silentObserver } from "@gatehouse/apiserver/storage";
import { openLmdbStore } from "@gatehouse/apiserver/storage/lmdb";
import { create, openWatch, summarize, update } from "@gatehouse/testing/store-contract";
import { flipBytesAt, zeroPagesWith } from "../support/damage-file.js";
import { temporaryDirectory } from "./store-processes.js";

/** A store with three keys, of which the second is then damaged in the file, with what was told of that. */
async function damagedStore(directory: string, valueBytes: number, damage: typeof flipBytesAt) {
  const marker = "the value to be damaged";
  const before = await openLmdbStore({ directory });
  await create(before, "/a", "1");
  const revision = await create(before, "/b", `${marker}${"x".repeat(valueBytes)}`);
  await create(before, "/c", "3");
  await before[Symbol.asyncDispose]();
  assert.ok((await damage(join(directory, "data.mdb"), marker)) > 0);
  const told: StoreDamagedError[] = [];
  const observer = { ...silentObserver, storeDamaged: (error: StoreDamagedError) => void told.push(error) };
  return { store: await openLmdbStore({ directory, observer }), revision, told };
}

/** Asserts that everything but `/b` can be read and written. */
async function assertOthersWhole(store: Store): Promise<void> {
  assert.equal(String((await store.get("/a")).kv?.value), "1");
  const { kv } = await store.get("/c");
  await update(store, "/c", kv?.modRevision ?? 0, "new");
  assert.equal(String((await store.get("/c")).kv?.value), "new");
}

describe("damaged data of the embedded store", () => {
  for (const [what, valueBytes, damage] of [
    ["flipped bytes in a small value", 100, flipBytesAt],
    ["flipped bytes in a large value", 50_000, flipBytesAt],
    ["a page of zeros in a large value", 50_000, zeroPagesWith],
  ] as const) {
    it(`with ${what} is told, and what is whole is served`, async () => {
      await using directory = await temporaryDirectory();
      const { store, revision, told } = await damagedStore(directory.path, valueBytes, damage);
      try {
        assert.equal(store.condition().damage, undefined, "nobody has looked yet");
        for (let i = 0; i < 2; i++) {
          await assert.rejects(store.get("/b"), (error) => {
            assert.ok(error instanceof StoreDamagedError, String(error));
            assert.deepEqual([error.key, error.revision], ["/b", revision]);
            return true;
          });
        }
        const { kvs, damaged } = await store.range({ prefix: "/" });
        assert.deepEqual(
          kvs.map(({ key }) => key),
          ["/a", "/c"],
        );
        assert.deepEqual(
          damaged.map(({ key }) => key),
          ["/b"],
        );
        await assertOthersWhole(store);
        await assert.rejects(store.put("/b", Buffer.from("2"), { expectedRevision: 1 }), StoreDamagedError);
        assert.equal(told.length, 1, "told once");
        assert.match(store.condition().damage?.message ?? "", /^the stored data of "\/b" at revision \d+ is damaged: /);
        assert.equal(store.condition().writing, undefined);
      } finally {
        await store[Symbol.asyncDispose]();
      }
    });
  }

  it("counts towards the limit of a range, so that pages neither repeat nor leave out keys", async () => {
    await using directory = await temporaryDirectory();
    const { store } = await damagedStore(directory.path, 100, flipBytesAt);
    try {
      const page = await store.range({ prefix: "/", limit: 2 });
      assert.deepEqual([page.kvs.length, page.damaged.length, page.more], [1, 1, true]);
    } finally {
      await store[Symbol.asyncDispose]();
    }
  });

  it("ends a watch only where it is", async () => {
    await using directory = await temporaryDirectory();
    const { store, revision } = await damagedStore(directory.path, 100, flipBytesAt);
    try {
      const watch = openWatch(store, "/", 1);
      assert.deepEqual((await watch.next())?.events.map(summarize), ["2 put /a=1"]);
      await assert.rejects(watch.next(), StoreDamagedError);
      const after = openWatch(store, "/", revision);
      assert.deepEqual((await after.next())?.events.map(summarize), [`${revision + 1} put /c=3`]);
      after.abort();
    } finally {
      await store[Symbol.asyncDispose]();
    }
  });

  it("in the tables themselves is refused at start, before LMDB can leave out keys or end the process", async () => {
    await using directory = await temporaryDirectory();
    const store = await openLmdbStore({ directory: directory.path });
    for (let i = 0; i < 200; i++) {
      await create(store, `/key-${i}`, "value");
    }
    await store[Symbol.asyncDispose]();
    // The pages of the tables of keys and of the log; the second holds the first's text, too.
    assert.ok((await zeroPagesWith(join(directory.path, "data.mdb"), "/key-7")) > 0);
    await assert.rejects(openLmdbStore({ directory: directory.path }), (error) => {
      assert.ok(error instanceof StoreUnusableError, String(error));
      assert.match(error.message, /is damaged \(in the table "(keys|log)" page \d+ is not a whole leaf\)/);
      return true;
    });
  });
});
