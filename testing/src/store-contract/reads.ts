import assert from "node:assert/strict";
import type { RangeOptions, Store } from "@gatehouse/apiserver/storage";
import { create, remove, update } from "./store-operations.js";
import type { StoreFixture } from "./store-under-test.js";
import type { TestRunner } from "./test-runner.js";

async function keysOf(store: Store, options: RangeOptions): Promise<string[]> {
  return (await store.range(options)).kvs.map((kv) => kv.key);
}

/** Defines the tests of single keys and ranges, now and at older revisions. */
export function describeStoreReads(createFixture: () => Promise<StoreFixture>, { describe, it }: TestRunner): void {
  describe("reads", () => {
    it("answers a range of nothing with the revision and no keys", async () => {
      await using fixture = await createFixture();
      const store = await fixture.open();
      const revision = await store.currentRevision();
      assert.deepEqual(await store.range({ prefix: "/none/" }), { revision, kvs: [], damaged: [], more: false });
    });

    it("takes the prefix as bytes, not as a path", async () => {
      await using fixture = await createFixture();
      const store = await fixture.open();
      for (const key of ["/a/b", "/a/b/", "/a/b/c", "/a/bc", "/a/c", "/a"]) {
        await create(store, key);
      }
      assert.deepEqual(await keysOf(store, { prefix: "/a/b" }), ["/a/b", "/a/b/", "/a/b/c", "/a/bc"]);
      assert.deepEqual(await keysOf(store, { prefix: "/a/b/" }), ["/a/b/", "/a/b/c"]);
      assert.deepEqual(await keysOf(store, { prefix: "/a/bcd" }), []);
      assert.deepEqual(await keysOf(store, { prefix: "" }), ["/a", "/a/b", "/a/b/", "/a/b/c", "/a/bc", "/a/c"]);
    });

    it("orders keys by their UTF-8 bytes", async () => {
      await using fixture = await createFixture();
      const store = await fixture.open();
      // In UTF-16, as JavaScript compares, the last two are the other way round.
      const ordered = ["/k/", "/k/-", "/k/A", "/k/a", "/k/\u007f", "/k/é", "/k/日本", "/k/\uffee", "/k/\u{1f600}"];
      for (const key of ordered.toReversed()) {
        await create(store, key, key);
      }
      const { kvs } = await store.range({ prefix: "/k/" });
      assert.deepEqual(
        kvs.map((kv) => kv.key),
        ordered,
      );
      assert.deepEqual(
        kvs.map((kv) => String(kv.value)),
        ordered,
      );
      assert.deepEqual(await keysOf(store, { prefix: "/k/日" }), ["/k/日本"]);
    });

    it("pages by limit and start key and tells whether there is more", async () => {
      await using fixture = await createFixture();
      const store = await fixture.open();
      const all = Array.from({ length: 25 }, (_, i) => `/p/${String(i).padStart(2, "0")}`);
      await Promise.all(["/o", "/q", ...all].map((key) => create(store, key)));
      const seen: string[] = [];
      const sizes: number[] = [];
      for (let startKey = "/p/"; ; ) {
        const page = await store.range({ prefix: "/p/", startKey, limit: 10 });
        seen.push(...page.kvs.map((kv) => kv.key));
        sizes.push(page.kvs.length);
        if (!page.more) {
          break;
        }
        startKey = `${seen.at(-1)}\0`;
      }
      assert.deepEqual(seen, all);
      assert.deepEqual(sizes, [10, 10, 5]);
    });

    it("starts at the prefix when the start key lies before it, and finds nothing behind it", async () => {
      await using fixture = await createFixture();
      const store = await fixture.open();
      await create(store, "/p/1");
      assert.deepEqual(await keysOf(store, { prefix: "/p/", startKey: "/a" }), ["/p/1"]);
      assert.deepEqual(await keysOf(store, { prefix: "/p/", startKey: "/z" }), []);
    });

    it("reads exactly the state of an older revision, after updates, deletes and re-creations", async () => {
      await using fixture = await createFixture();
      const store = await fixture.open();
      const a1 = await create(store, "/r/a", "a1");
      const b1 = await create(store, "/r/b", "b1");
      const a2 = await update(store, "/r/a", a1, "a2");
      const b2 = await remove(store, "/r/b", b1);
      const b3 = await create(store, "/r/b", "b3");
      const c1 = await create(store, "/r/c", "c1");
      const a3 = await remove(store, "/r/a", a2);
      const expected: [number, string[]][] = [
        [a1, ["a1"]],
        [b1, ["a1", "b1"]],
        [a2, ["a2", "b1"]],
        [b2, ["a2"]],
        [b3, ["a2", "b3"]],
        [c1, ["a2", "b3", "c1"]],
        [a3, ["b3", "c1"]],
      ];
      for (const [revision, values] of expected) {
        const range = await store.range({ prefix: "/r/", revision });
        assert.equal(range.revision, revision);
        assert.deepEqual(
          range.kvs.map((kv) => String(kv.value)),
          values,
        );
        const page = await store.range({ prefix: "/r/", revision, limit: 1 });
        assert.deepEqual([page.kvs.length, page.more], [1, values.length > 1]);
        for (const key of ["/r/a", "/r/b", "/r/c"]) {
          const { kv, revision: at } = await store.get(key, { revision });
          assert.equal(at, revision);
          assert.deepEqual(
            kv,
            range.kvs.find((found) => found.key === key),
          );
        }
      }
    });

    it("does not confuse keys of which one continues the other", async () => {
      await using fixture = await createFixture();
      const store = await fixture.open();
      const first = await create(store, "/n/a", "a1");
      const second = await create(store, "/n/a\0b", "ab1");
      await update(store, "/n/a", first, "a2");
      await update(store, "/n/a\0b", second, "ab2");
      const { kvs } = await store.range({ prefix: "/n/", revision: second });
      assert.deepEqual(
        kvs.map((kv) => [kv.key, String(kv.value)]),
        [
          ["/n/a", "a1"],
          ["/n/a\0b", "ab1"],
        ],
      );
      assert.deepEqual(await keysOf(store, { prefix: "/n/", startKey: "/n/a\0", revision: second }), ["/n/a\0b"]);
      assert.equal(String((await store.get("/n/a", { revision: second })).kv?.value), "a1");
    });
  });
}
