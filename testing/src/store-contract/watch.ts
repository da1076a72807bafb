import assert from "node:assert/strict";
import { RevisionCompactedError } from "@gatehouse/apiserver/errors";
import type { Store } from "@gatehouse/apiserver/storage";
import { collectGarbage } from "./collect-garbage.js";
import {
  collectUntil,
  create,
  followUntil,
  openWatch,
  remove,
  seededRandom,
  summarize,
  update,
} from "./store-operations.js";
import { manyWrites, type StoreFixture } from "./store-under-test.js";
import type { TestRunner } from "./test-runner.js";

/** 32 writers, each on keys of its own, creating, updating and deleting. */
async function writeConcurrently(store: Store, writesEach: number, seed: number): Promise<void> {
  const write = async (writer: number) => {
    const random = seededRandom(seed + writer);
    const revisions = new Map<string, number>();
    for (let i = 0; i < writesEach; i++) {
      const key = `/w/${writer % 2}/${writer}-${random(5)}`;
      const known = revisions.get(key);
      if (known !== undefined && random(4) === 0) {
        await remove(store, key, known);
        revisions.delete(key);
      } else {
        const value = `${writer}.${i}`;
        revisions.set(
          key,
          known === undefined ? await create(store, key, value) : await update(store, key, known, value),
        );
      }
    }
  };
  await Promise.all(Array.from({ length: 32 }, (_, writer) => write(writer)));
}

/** Defines the tests of watches: nothing lost, repeated or out of order. */
export function describeStoreWatch(createFixture: () => Promise<StoreFixture>, { describe, it }: TestRunner): void {
  describe("watch", () => {
    it("delivers creations, updates and deletions with what was there before", async () => {
      await using fixture = await createFixture();
      const store = await fixture.open();
      const start = await store.currentRevision();
      const created = await create(store, "/a", "1");
      const updated = await update(store, "/a", created, "2");
      const removed = await remove(store, "/a", updated);
      const again = await create(store, "/a", "3");
      const events = await collectUntil(store, { prefix: "/", afterRevision: start, revision: again });
      assert.deepEqual(events.map(summarize), [
        `${created} put /a=1`,
        `${updated} put /a=2 was 1 of ${created}/${created}`,
        `${removed} delete /a was 2 of ${created}/${updated}`,
        `${again} put /a=3`,
      ]);
      assert.deepEqual(
        events.map((event) => (event.type === "put" ? event.createRevision : 0)),
        [created, created, 0, again],
      );
    });

    it("wakes up for a change that comes later", async () => {
      await using fixture = await createFixture();
      const store = await fixture.open();
      const watch = openWatch(store, "/a", await store.currentRevision());
      const waiting = watch.next();
      await new Promise((resolve) => setTimeout(resolve, 20));
      const revision = await create(store, "/a", "1");
      const batch = await waiting;
      assert.deepEqual(batch?.events.map(summarize), [`${revision} put /a=1`]);
      assert.equal(batch?.revision, revision);
      watch.abort();
    });

    it("delivers only keys under its prefix but tells how far it has got", async () => {
      await using fixture = await createFixture();
      const store = await fixture.open();
      const start = await store.currentRevision();
      for (const key of ["/a/b", "/a/b/", "/a/b/c", "/a/bc", "/b"]) {
        await create(store, key);
      }
      const last = await store.currentRevision();
      const events = await collectUntil(store, { prefix: "/a/b/", afterRevision: start, revision: last });
      assert.deepEqual(
        events.map((event) => event.key),
        ["/a/b/", "/a/b/c"],
      );
      assert.deepEqual(await collectUntil(store, { prefix: "/zzz", afterRevision: start, revision: last }), []);
    });

    it("delivers every change exactly once and in order while 32 writers write, and after resuming anywhere", async () => {
      await using fixture = await createFixture();
      const store = await fixture.open();
      const start = await store.currentRevision();
      const writesEach = manyWrites(fixture, 50);
      const last = start + 32 * writesEach;
      const live = collectUntil(store, { prefix: "/w/", afterRevision: start, revision: last });
      const halfLive = collectUntil(store, { prefix: "/w/1/", afterRevision: start, revision: last });
      await writeConcurrently(store, writesEach, 1);
      const events = (await live).map(summarize);
      assert.deepEqual(
        (await live).map((event) => event.revision),
        Array.from({ length: last - start }, (_, i) => start + 1 + i),
      );
      assert.deepEqual(
        (await halfLive).map(summarize),
        events.filter((event) => event.includes(" /w/1/")),
      );
      const random = seededRandom(7);
      for (let i = 0; i < 10; i++) {
        const afterRevision = start + random(last - start);
        const resumed = await collectUntil(store, { prefix: "/w/", afterRevision, revision: last });
        assert.deepEqual(resumed.map(summarize), events.slice(afterRevision - start));
      }
    });

    it("delivers every change exactly once and in order over the short way for commits and the iteration together", async () => {
      await using fixture = await createFixture();
      const store = await fixture.open();
      const start = await store.currentRevision();
      const writesEach = manyWrites(fixture, 50);
      const last = start + 32 * writesEach;
      const following = followUntil(store, { prefix: "/w/1/", afterRevision: start, revision: last });
      await writeConcurrently(store, writesEach, 2);
      const { events } = await following;
      const logged = await collectUntil(store, { prefix: "/w/1/", afterRevision: start, revision: last });
      assert.deepEqual(events.map(summarize), logged.map(summarize));
    });

    it("ends with what its reader throws on either way, which is nothing to the writers", async () => {
      await using fixture = await createFixture();
      const store = await fixture.open();
      const afterRevision = await store.currentRevision();
      const { signal } = new AbortController();
      const onCommitted = (): never => {
        throw new Error("the reader's own fault");
      };
      const reading = (async () => {
        for await (const _batch of store.watch({ prefix: "/", afterRevision, signal, onCommitted })) {
          onCommitted();
        }
      })();
      const rejected = assert.rejects(reading, /the reader's own fault/);
      await new Promise((resolve) => setTimeout(resolve, 20));
      await create(store, "/a");
      await create(store, "/b");
      await rejected;
    });

    it("ends without an error when its signal aborts, whether it waits or not", async () => {
      await using fixture = await createFixture();
      const store = await fixture.open();
      const watch = openWatch(store, "/", await store.currentRevision());
      const waiting = watch.next();
      await new Promise((resolve) => setTimeout(resolve, 10));
      watch.abort();
      assert.equal(await waiting, undefined);
      const aborted = openWatch(store, "/", 1);
      aborted.abort();
      assert.equal(await aborted.next(), undefined);
    });

    it("lets a slow watcher catch up without keeping anything in memory for it", async () => {
      await using fixture = await createFixture();
      const store = await fixture.open();
      const start = await store.currentRevision();
      const slow = openWatch(store, "/slow/", start);
      const first = slow.next();
      const value = "x".repeat(64 * 1024);
      // 64 MiB where memory is measured; elsewhere more than one batch may have.
      const rounds = fixture.isInMemory === true ? 5 : 16;
      collectGarbage();
      const before = process.memoryUsage().arrayBuffers;
      for (let i = 0; i < rounds; i++) {
        await Promise.all(Array.from({ length: 64 }, (_, j) => create(store, `/slow/${i}-${j}`, value)));
      }
      // What the process holds must be much less than what has been written.
      collectGarbage();
      assert.ok(fixture.isInMemory === true || process.memoryUsage().arrayBuffers - before < 32 * 2 ** 20);
      let count = (await first)?.events.length ?? 0;
      while (count < 64 * rounds) {
        const batch = await slow.next();
        assert.ok(batch !== undefined);
        assert.ok(batch.events.length <= 256, "batches are bounded in bytes");
        count += batch.events.length;
      }
      assert.equal(count, 64 * rounds);
      slow.abort();
    });

    it("ends with an error when compaction overtakes it, and not when it is ahead", async () => {
      await using fixture = await createFixture();
      const store = await fixture.open();
      const start = await store.currentRevision();
      const behind = openWatch(store, "/", start);
      const ahead = openWatch(store, "/", start);
      let revision = await create(store, "/a", "0");
      await behind.next();
      for (let i = 1; i < 10; i++) {
        revision = await update(store, "/a", revision, String(i));
      }
      for (let seen = start; seen < revision; ) {
        seen = (await ahead.next())?.revision ?? seen;
      }
      await store.compact(revision);
      await assert.rejects(async () => {
        while ((await behind.next()) !== undefined) {
          // A store may have read some batches ahead.
        }
      }, RevisionCompactedError);
      const next = await update(store, "/a", revision, "last");
      assert.equal((await ahead.next())?.revision, next);
      ahead.abort();
    });
  });
}
