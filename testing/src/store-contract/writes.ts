import assert from "node:assert/strict";
import { collectUntil, create, eventually, remove, revisionOf, update } from "./store-operations.js";
import type { StoreFixture } from "./store-under-test.js";
import type { TestRunner } from "./test-runner.js";

/** Defines the tests of writes: revisions, compare-and-set, times to live. */
export function describeStoreWrites(createFixture: () => Promise<StoreFixture>, { describe, it }: TestRunner): void {
  describe("writes", () => {
    it("starts with a positive revision and adds one for every successful write", async () => {
      await using fixture = await createFixture();
      const store = await fixture.open();
      const start = await store.currentRevision();
      assert.ok(start >= 1);
      assert.equal(await create(store, "/a"), start + 1);
      assert.equal(await update(store, "/a", start + 1), start + 2);
      assert.equal(await remove(store, "/a", start + 2), start + 3);
      assert.equal(await store.currentRevision(), start + 3);
    });

    it("creates a key only if it does not exist, and tells a loser what is there", async () => {
      await using fixture = await createFixture();
      const store = await fixture.open();
      const revision = await create(store, "/a", "first");
      const lost = await store.put("/a", Buffer.from("second"), { expectedRevision: 0 });
      assert.deepEqual(lost, {
        succeeded: false,
        current: { key: "/a", value: Buffer.from("first"), createRevision: revision, modRevision: revision },
      });
      assert.equal(await store.currentRevision(), revision, "a lost race takes no revision");
    });

    it("updates a key only at the expected revision and keeps its creation revision", async () => {
      await using fixture = await createFixture();
      const store = await fixture.open();
      const created = await create(store, "/a", "1");
      const updated = await update(store, "/a", created, "2");
      const current = { key: "/a", value: Buffer.from("2"), createRevision: created, modRevision: updated };
      assert.deepEqual(await store.put("/a", Buffer.from("3"), { expectedRevision: created }), {
        succeeded: false,
        current,
      });
      assert.deepEqual(await store.get("/a"), { revision: updated, kv: current });
    });

    it("refuses to update or delete a key that does not exist", async () => {
      await using fixture = await createFixture();
      const store = await fixture.open();
      const lost = { succeeded: false, current: undefined };
      assert.deepEqual(await store.put("/a", Buffer.from("1"), { expectedRevision: 7 }), lost);
      assert.deepEqual(await store.delete("/a", { expectedRevision: 7 }), lost);
      assert.deepEqual(await store.delete("/a", { expectedRevision: 0 }), lost);
    });

    it("deletes a key only at the expected revision", async () => {
      await using fixture = await createFixture();
      const store = await fixture.open();
      const created = await create(store, "/a", "1");
      const updated = await update(store, "/a", created, "2");
      const lost = await store.delete("/a", { expectedRevision: created });
      assert.ok(!lost.succeeded);
      assert.equal(lost.current?.modRevision, updated);
      const revision = await remove(store, "/a", updated);
      assert.deepEqual(await store.get("/a"), { revision, kv: undefined });
    });

    it("gives a key that is created again a new creation revision", async () => {
      await using fixture = await createFixture();
      const store = await fixture.open();
      await remove(store, "/a", await create(store, "/a", "1"));
      const revision = await create(store, "/a", "2");
      const { kv } = await store.get("/a");
      assert.deepEqual(kv, { key: "/a", value: Buffer.from("2"), createRevision: revision, modRevision: revision });
    });

    it("lets exactly one of many concurrent writers win", async () => {
      await using fixture = await createFixture();
      const store = await fixture.open();
      const attempt = (expectedRevision: number) =>
        Promise.all(Array.from({ length: 32 }, (_, i) => store.put("/a", Buffer.from(`${i}`), { expectedRevision })));
      let revision = 0;
      for (let round = 0; round < 5; round++) {
        const winners = (await attempt(revision)).filter((result) => result.succeeded);
        assert.equal(winners.length, 1);
        revision = revisionOf(winners[0] as (typeof winners)[0]);
      }
    });

    it("loses no increment of a counter that many increment by compare-and-set", async () => {
      await using fixture = await createFixture();
      const store = await fixture.open();
      await create(store, "/counter", "0");
      const increment = async () => {
        let { kv } = await store.get("/counter");
        for (;;) {
          assert.ok(kv !== undefined);
          const value = Buffer.from(String(Number(kv.value) + 1));
          const result = await store.put("/counter", value, { expectedRevision: kv.modRevision });
          if (result.succeeded) {
            return;
          }
          kv = result.current;
        }
      };
      await Promise.all(Array.from({ length: 32 }, increment));
      assert.equal(String((await store.get("/counter")).kv?.value), "32");
    });

    it("keeps values of every size and content unchanged", async () => {
      await using fixture = await createFixture();
      const store = await fixture.open();
      const big = Buffer.alloc(fixture.maxValueBytes ?? 3 * 2 ** 20, "0123456789abcdef-");
      const values = [
        Buffer.alloc(0),
        Buffer.from([0, 255, 0, 128]),
        Buffer.alloc(2035, 1),
        Buffer.alloc(4096, 2),
        big,
      ];
      for (const [i, value] of values.entries()) {
        revisionOf(await store.put(`/size/${i}`, value, { expectedRevision: 0 }));
      }
      const { kvs } = await store.range({ prefix: "/size/" });
      assert.deepEqual(
        kvs.map((kv) => kv.value.equals(values[Number(kv.key.at(-1))] as Buffer)),
        values.map(() => true),
      );
      const first = kvs[4];
      assert.ok(first !== undefined);
      await update(store, first.key, first.modRevision, "small");
      const old = await store.get(first.key, { revision: first.modRevision });
      assert.ok(old.kv?.value.equals(big));
    });

    it("accepts keys of 1,500 bytes and refuses empty and longer ones", async () => {
      await using fixture = await createFixture();
      const store = await fixture.open();
      const key = `/${"ä".repeat(749)}b`;
      await update(store, key, await create(store, key, "1"), "2");
      assert.equal(String((await store.get(key)).kv?.value), "2");
      await assert.rejects(create(store, `${key}c`), TypeError);
      await assert.rejects(create(store, ""), TypeError);
    });
  });

  describe("time to live", () => {
    it("deletes a key by itself, not early, with a revision and an event of its own", async () => {
      await using fixture = await createFixture();
      const store = await fixture.open();
      const writtenAt = Date.now();
      const revision = await create(store, "/ttl", "gone soon", 2);
      await eventually("the key expires", async () => (await store.get("/ttl")).kv === undefined);
      assert.ok(Date.now() - writtenAt >= 2000);
      assert.ok((await store.currentRevision()) > revision);
      assert.equal((await store.get("/ttl", { revision })).kv?.modRevision, revision);
    });

    it("spares a key that has been written again without one, and one created anew", async () => {
      await using fixture = await createFixture();
      const store = await fixture.open();
      await update(store, "/kept", await create(store, "/kept", "1", 1), "2");
      await remove(store, "/again", await create(store, "/again", "1", 1));
      await create(store, "/again", "2");
      await create(store, "/witness", "1", 1);
      await eventually("the witness expires", async () => (await store.get("/witness")).kv === undefined);
      await new Promise((resolve) => setTimeout(resolve, 300));
      assert.equal(String((await store.get("/kept")).kv?.value), "2");
      assert.equal(String((await store.get("/again")).kv?.value), "2");
    });

    it("is told to those who ask for it, in ranges now and of the past and in changes", async () => {
      await using fixture = await createFixture();
      const store = await fixture.open();
      const writtenAt = Date.now();
      const revision = await create(store, "/expires", "1", 1000);
      await create(store, "/stays", "1");
      const isTold = (expiresAtMs: number | undefined): boolean | undefined =>
        expiresAtMs === undefined ? undefined : Math.abs(expiresAtMs - writtenAt - 1_000_000) < 100_000;
      const ranged = async (at?: number) => {
        const options = { prefix: "/", withExpiry: true, ...(at === undefined ? {} : { revision: at }) };
        return (await store.range(options)).kvs.map(({ key, expiresAtMs }) => [key, isTold(expiresAtMs)]);
      };
      const both = [
        ["/expires", true],
        ["/stays", undefined],
      ];
      assert.deepEqual(await ranged(), both);
      const last = await update(store, "/expires", revision, "2");
      assert.deepEqual(await ranged(last), [
        ["/expires", undefined],
        ["/stays", undefined],
      ]);
      assert.deepEqual(await ranged(last - 1), both);
      const removed = await remove(store, "/gone", await create(store, "/gone", "1", 1000));
      const options = { prefix: "/", afterRevision: revision - 1, revision: removed, withExpiry: true };
      assert.deepEqual(
        (await collectUntil(store, options)).map((event) =>
          isTold(event.type === "put" ? event.expiresAtMs : event.previous.expiresAtMs),
        ),
        [true, undefined, undefined, true, true],
      );
    });

    it("goes on through a restart", async () => {
      await using fixture = await createFixture();
      const before = await fixture.open();
      await create(before, "/ttl", "1", 1);
      await before[Symbol.asyncDispose]();
      const after = await fixture.open();
      await eventually("the key expires", async () => (await after.get("/ttl")).kv === undefined);
    });
  });
}
