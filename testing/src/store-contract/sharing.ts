import assert from "node:assert/strict";
import { collectUntil, create, openWatch, summarize, update } from "./store-operations.js";
import { manyWrites, type StoreFixture } from "./store-under-test.js";
import type { TestRunner } from "./test-runner.js";

/** Defines the tests of several stores on the same data. */
export function describeStoreSharing(createFixture: () => Promise<StoreFixture>, { describe, it }: TestRunner): void {
  describe("two stores on the same data", () => {
    it("see each other's writes at once", async () => {
      await using fixture = await createFixture();
      const [one, two] = [await fixture.open(), await fixture.open()];
      const revision = await create(one, "/a", "1");
      assert.equal(await two.currentRevision(), revision);
      assert.equal(String((await two.get("/a")).kv?.value), "1");
      const next = await update(two, "/a", revision, "2");
      assert.equal(await one.currentRevision(), next);
      const lost = await one.put("/a", Buffer.from("3"), { expectedRevision: revision });
      assert.ok(!lost.succeeded);
      assert.equal(lost.current?.modRevision, next);
    });

    it("deliver each other's changes, in one order, while both write", async () => {
      await using fixture = await createFixture();
      const stores = [await fixture.open(), await fixture.open()] as const;
      const start = await stores[0].currentRevision();
      const count = manyWrites(fixture, 400);
      const last = start + count;
      const watches = stores.map((store) => collectUntil(store, { prefix: "/", afterRevision: start, revision: last }));
      const writes = Array.from({ length: count }, (_, i) => create(stores[i % 2] as (typeof stores)[0], `/${i}`));
      await Promise.all(writes);
      const [one, two] = await Promise.all(watches);
      assert.equal(one?.length, count);
      assert.deepEqual(one?.map(summarize), two?.map(summarize));
    });

    it("live on when the other is closed, and the data survives both", async () => {
      await using fixture = await createFixture();
      const [one, two] = [await fixture.open(), await fixture.open()];
      await create(one, "/a", "1");
      await one[Symbol.asyncDispose]();
      await create(two, "/b", "2");
      await two[Symbol.asyncDispose]();
      const three = await fixture.open();
      assert.deepEqual(
        (await three.range({ prefix: "/" })).kvs.map((kv) => String(kv.value)),
        ["1", "2"],
      );
    });

    it("end their watches and refuse everything when closed", async () => {
      await using fixture = await createFixture();
      const store = await fixture.open();
      const watch = openWatch(store, "/", await store.currentRevision());
      const waiting = watch.next();
      await store[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      assert.equal(await waiting, undefined);
      await assert.rejects(store.get("/a"));
      await assert.rejects(store.ping());
      await assert.rejects(create(store, "/a"));
    });
  });
}
