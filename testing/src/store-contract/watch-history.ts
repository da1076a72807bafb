import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { RevisionCompactedError } from "@gatehouse/apiserver/errors";
import type { RangeResult, Store } from "@gatehouse/apiserver/storage";
import { assertKeys, writeRandomly } from "./history.js";
import { seededRandom, summarize } from "./store-operations.js";
import type { StoreFixture } from "./store-under-test.js";
import type { TestRunner } from "./test-runner.js";

const writes = 200;
const writesPerCompaction = 20;
const followers = 4;

/** The knowledge of a follower of the store: by watches, or by reading anew after compaction had overtaken it. */
interface Followed {
  /** Changes between two revisions, of which the first is left out. */
  readonly watched: { readonly from: number; readonly to: number; readonly events: readonly string[] }[];
  readonly readAnew: RangeResult[];
}

/** Follows the store up to `last`. Its watches end after some batches; it stays away for as long as `absence` takes. */
async function follow(
  store: Store,
  { from, last, random }: { readonly from: number; readonly last: number; readonly random: (bound: number) => number },
  absence: (revision: number) => Promise<void>,
): Promise<Followed> {
  const followed: Followed = { watched: [], readAnew: [] };
  for (let revision = from; revision < last; await absence(revision)) {
    const [start, stop, events] = [revision, new AbortController(), [] as string[]];
    let batches = random(4);
    try {
      for await (const batch of store.watch({ prefix: "/h/", afterRevision: revision, signal: stop.signal })) {
        assert.ok(batch.revision > revision, `a batch up to ${batch.revision} comes after ${revision}`);
        events.push(...batch.events.map(summarize));
        revision = batch.revision;
        if (batches-- === 0 || revision >= last) {
          stop.abort();
        }
      }
    } catch (error) {
      assert.ok(error instanceof RevisionCompactedError, String(error));
    }
    followed.watched.push({ from: start, to: revision, events });
    if (!stop.signal.aborted) {
      const range = await store.range({ prefix: "/h/" });
      followed.readAnew.push(range);
      revision = range.revision;
    }
  }
  return followed;
}

/** Defines the test of watches that come and go while the store is written to and compacted. */
export function describeStoreWatchHistory(
  createFixture: () => Promise<StoreFixture>,
  { describe, it }: TestRunner,
): void {
  describe("watches through a random history with compactions", () => {
    it("deliver every change once and in order, or end when compaction has overtaken them", async () => {
      await using fixture = await createFixture();
      const [writer, reader] = [await fixture.open(), await fixture.open()];
      const random = seededRandom(20261123);
      const from = await writer.currentRevision();
      const last = from + writes;
      let written = from;
      const until = async (revision: number): Promise<void> => {
        while (written < Math.min(revision, last)) {
          await sleep(1);
        }
      };
      const following = Array.from({ length: followers }, (_, index) => {
        const own = seededRandom(100 + index);
        const store = index % 2 === 0 ? reader : writer;
        // The first is away until all has been written, so that compaction overtakes it.
        const absence = (revision: number) => until(index === 0 ? last : revision + own(own(2) === 0 ? 2 : 60));
        return follow(store, { from, last, random: own }, absence);
      });
      const { states, events } = await writeRandomly(writer, writes, random, async (revision) => {
        if ((revision - from) % writesPerCompaction === 0) {
          await writer.compact(revision - random(writesPerCompaction));
        }
        written = revision;
      });
      const all = await Promise.all(following);
      for (const { watched, readAnew } of all) {
        for (const part of watched) {
          assert.deepEqual(part.events, events.slice(part.from - from, part.to - from));
        }
        for (const range of readAnew) {
          assertKeys(range, range.revision, states.get(range.revision) ?? new Map());
        }
      }
      assert.ok((all[0]?.readAnew.length ?? 0) > 0, "compaction has overtaken nobody");
    });
  });
}
