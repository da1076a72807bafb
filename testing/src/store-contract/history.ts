import assert from "node:assert/strict";
import { RevisionCompactedError, RevisionInFutureError } from "@gatehouse/apiserver/errors";
import type { RangeResult, Store } from "@gatehouse/apiserver/storage";
import {
  collectUntil,
  create,
  openWatch,
  remove,
  revisionOf,
  seededRandom,
  summarize,
  update,
} from "./store-operations.js";
import { manyWrites, type StoreFixture } from "./store-under-test.js";
import type { TestRunner } from "./test-runner.js";

/** Content that a store should have, by revision: key -> value and revisions. */
export type State = ReadonlyMap<string, { value: string; createRevision: number; modRevision: number }>;

/** Runs random writes of keys under `/h/`, remembers the state after each, and waits for `afterEach`. */
export async function writeRandomly(
  store: Store,
  writes: number,
  random: (bound: number) => number,
  afterEach: (revision: number) => Promise<void> = async () => {},
) {
  const states = new Map<number, State>();
  const events: string[] = [];
  let state: State = new Map();
  const start = await store.currentRevision();
  states.set(start, state);
  for (let i = 0; i < writes; i++) {
    const key = `/h/${random(12)}${["", "/x", "é"][random(3)]}`;
    const old = state.get(key);
    const next = new Map(state);
    const was = old === undefined ? "" : ` was ${old.value} of ${old.createRevision}/${old.modRevision}`;
    if (old !== undefined && random(3) === 0) {
      const revision = await remove(store, key, old.modRevision);
      next.delete(key);
      events.push(`${revision} delete ${key}${was}`);
      states.set(revision, next);
    } else {
      const value = `v${i}`.repeat(1 + random(400));
      const options = { expectedRevision: old?.modRevision ?? 0 };
      const revision = revisionOf(await store.put(key, Buffer.from(value), options));
      next.set(key, { value, createRevision: old?.createRevision ?? revision, modRevision: revision });
      events.push(`${revision} put ${key}=${value}${was}`);
      states.set(revision, next);
    }
    state = next;
    await afterEach(start + i + 1);
  }
  return { start, states, events };
}

async function assertState(store: Store, revision: number, expected: State): Promise<void> {
  assertKeys(await store.range({ prefix: "/h/", revision }), revision, expected);
}

/** Fails unless a range has what was written up to a revision. */
export function assertKeys({ kvs }: Pick<RangeResult, "kvs">, revision: number, expected: State): void {
  const actual = kvs.map((kv) => [kv.key, { ...kv, key: undefined, value: String(kv.value) }]);
  const wanted = [...expected]
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map(([key, version]) => [key, { ...version, key: undefined }]);
  assert.deepEqual(actual, wanted, `state as of revision ${revision}`);
}

/** Defines the tests of reads in the past, and of compaction. */
export function describeStoreHistory(createFixture: () => Promise<StoreFixture>, { describe, it }: TestRunner): void {
  describe("history", () => {
    it("equals a simple model at every retained revision, before and after compactions", async () => {
      await using fixture = await createFixture();
      const store = await fixture.open();
      const random = seededRandom(20240229);
      const writes = manyWrites(fixture, 300);
      const third = writes / 3;
      const { start, states, events } = await writeRandomly(store, writes, random);
      const last = await store.currentRevision();
      for (const compacted of [start, start + third, start + third + 1, last - Math.floor(third / 2), last]) {
        await store.compact(compacted);
        for (let revision = compacted; revision <= last; revision += 1 + random(9)) {
          await assertState(store, revision, states.get(revision) as State);
          const seen = await collectUntil(store, { prefix: "/h/", afterRevision: revision, revision: last });
          assert.deepEqual(seen.map(summarize), events.slice(revision - start));
        }
        await assertState(store, last, states.get(last) as State);
      }
    });

    it("reads many keys at an older revision, whole and in pages, whatever has become of them since", async () => {
      await using fixture = await createFixture();
      const store = await fixture.open();
      const then = new Map<string, number>();
      const keyOf = (i: number) => `/s/${String(i).padStart(4, "0")}${i % 7 === 0 ? "\0x" : ""}`;
      // At least more than the 500 objects of a page, by which a store in front reads.
      const count = Math.max(600, manyWrites(fixture, 1200));
      const even = Array.from({ length: count }, (_, i) => keyOf(2 * i));
      await inBatches(even, async (key) => then.set(key, await create(store, key, `then ${key}`)));
      const revision = await store.currentRevision();
      // A long run of keys that have gone, some that have changed, and new ones between and behind all of them.
      await inBatches([...then], async ([key, modRevision], i) => {
        if (i % (count / 3) > count / 5 || i % 5 === 0) {
          await remove(store, key, modRevision);
        } else if (i % 3 === 0) {
          await update(store, key, modRevision, "since");
        }
      });
      const odd = Array.from({ length: count / 4 }, (_, i) => keyOf(8 * i + 1));
      await inBatches(odd, (key) => create(store, key, "since"));
      await create(store, "/s/9", "since");
      const wanted = [...then]
        .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
        .map(([key, modRevision]) => `${key} ${modRevision} then ${key}`);
      for (const limit of [undefined, 7, 100, count - 1, count, 5000]) {
        const seen: string[] = [];
        for (let startKey = "/s/", more = true; more; ) {
          const page = await store.range({
            prefix: "/s/",
            startKey,
            revision,
            ...(limit === undefined ? {} : { limit }),
          });
          seen.push(...page.kvs.map((kv) => `${kv.key} ${kv.modRevision} ${kv.value}`));
          assert.equal(page.more, seen.length < wanted.length, `limit ${limit}, after ${seen.length} keys`);
          startKey = `${page.kvs.at(-1)?.key}\0`;
          more = page.more;
        }
        assert.deepEqual(seen, wanted, `limit ${limit}`);
      }
    });

    it("refuses reads at and watches after a compacted revision, and serves the compact revision itself", async () => {
      await using fixture = await createFixture();
      const store = await fixture.open();
      const first = await create(store, "/a", "1");
      const second = await update(store, "/a", first, "2");
      const third = await update(store, "/a", second, "3");
      await store.compact(second);
      const compacted = (error: unknown) => error instanceof RevisionCompactedError && error.compactRevision === second;
      await assert.rejects(store.get("/a", { revision: first }), compacted);
      await assert.rejects(store.range({ prefix: "/", revision: first }), compacted);
      await assert.rejects(openWatch(store, "/", first).next(), compacted);
      assert.equal(String((await store.get("/a", { revision: second })).kv?.value), "2");
      const events = await collectUntil(store, { prefix: "/", afterRevision: second, revision: third });
      assert.deepEqual(events.map(summarize), [`${third} put /a=3 was 2 of ${first}/${second}`]);
    });

    it("refuses revisions of the future", async () => {
      await using fixture = await createFixture();
      const store = await fixture.open();
      const current = await create(store, "/a", "1");
      const future = (error: unknown) => error instanceof RevisionInFutureError && error.currentRevision === current;
      await assert.rejects(store.get("/a", { revision: current + 1 }), future);
      await assert.rejects(store.range({ prefix: "/", revision: current + 1 }), future);
      await assert.rejects(store.compact(current + 1), future);
    });

    it("takes compacting at or before the compact revision as done", async () => {
      await using fixture = await createFixture();
      const store = await fixture.open();
      const first = await create(store, "/a", "1");
      const second = await update(store, "/a", first, "2");
      await store.compact(second);
      await store.compact(second);
      await store.compact(first);
      assert.equal(String((await store.get("/a", { revision: second })).kv?.value), "2");
    });
  });
}

/** Writes of a batch: few enough for each to be done within its deadline, however slow the store is. */
const batchSize = 60;

/** Does `work` for each item, for those of a batch at a time. */
async function inBatches<T>(items: readonly T[], work: (item: T, index: number) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < items.length; start += batchSize) {
    await Promise.all(items.slice(start, start + batchSize).map((item, at) => work(item, start + at)));
  }
}
