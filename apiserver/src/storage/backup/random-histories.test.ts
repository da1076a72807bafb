import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Store } from "../store.js";
import { change, contentOf, linesAt, linesOf, type TestPlace, testPlace } from "./backup.test.support.js";
import { openChain } from "./backup-chain.js";
import { type BackupFile, openBackup } from "./backup-reader.js";
import { restoreDataDirectory } from "./restore-data-directory.js";
import { takeFullBackup, takeIncrement } from "./take-backup.js";

const keys = ["/a", "/a/b", "/a\0", "/ä", "/registry/pods/default/one", "/z"];

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ key: fc.constantFrom(...keys), value: fc.string({ maxLength: 40 }) }) },
  { weight: 2, arbitrary: fc.record({ key: fc.constantFrom(...keys), value: fc.constant(undefined) }) },
  {
    weight: 1,
    arbitrary: fc.record({ key: fc.constantFrom(...keys), value: fc.string(), ttlSeconds: fc.constant(100_000) }),
  },
  { weight: 1, arbitrary: fc.constant("backup" as const) },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Runs a history; answers the backups that were taken on the way and the state at each revision. */
async function run(place: TestPlace, store: Store, steps: readonly Step[]) {
  const states = new Map<number, readonly string[]>();
  const files: BackupFile[] = [];
  const backup = async (): Promise<void> => {
    const path = place.path(`backup-${files.length}`);
    const last = files.at(-1);
    const options = { store, prefix: "", path };
    files.push(last === undefined ? await takeFullBackup(options) : await takeIncrement(options, last));
  };
  for (const one of steps) {
    if (one === "backup") {
      await backup();
    } else if (one.value !== undefined || (await store.get(one.key)).kv !== undefined) {
      await change(store, one.key, one.value, "ttlSeconds" in one ? one.ttlSeconds : undefined);
    }
    states.set(await store.currentRevision(), await linesOf(store));
  }
  await backup();
  return { states, files };
}

test("a full backup and its increments have the state at every revision that they cover, for any history", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.nat(), async (steps, pick) => {
      await using place = await testPlace();
      const { states, files } = await run(place, await place.open(), steps);
      const chain = await openChain(files.map(({ path }) => path).reverse());
      assert.deepEqual(
        chain.files.map(({ path }) => path),
        files.map(({ path }) => path),
      );
      const covered = [...states].filter(([revision]) => revision >= chain.oldestRevision);
      for (const [revision, lines] of covered) {
        assert.deepEqual(await linesAt(chain, revision), lines, `revision ${revision}`);
      }
      const [revision, lines] = covered[pick % Math.max(covered.length, 1)] ?? [chain.newestRevision, []];
      const directory = place.path("restored");
      await restoreDataDirectory({ directory, initialRevision: 10_000 }, chain.liveRecords(revision));
      assert.deepEqual(contentOf(await linesOf(await place.open({ directory }))), contentOf(lines));
    }),
    { numRuns: 40 },
  );
});

test("a backup that is taken while writers are at work has exactly the state at its revision", async () => {
  await using place = await testPlace();
  const store = await place.open();
  // More keys than one page has, and all of them change.
  await Promise.all(Array.from({ length: 800 }, (_, number) => change(store, `/keys/${number % 8}/${number}`, "0")));
  const writing = new AbortController();
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let turn = 0; !writing.signal.aborted && turn < 400; turn++) {
      await change(store, `/keys/${writer}/${(turn * 8 + writer) % 800}`, turn % 5 === 4 ? undefined : `${turn}`).catch(
        () => {},
      );
    }
  });
  await change(store, "/first", "1");
  const options = { store, prefix: "" };
  const full = await takeFullBackup({ ...options, path: place.path("full") });
  const increment = await takeIncrement({ ...options, path: place.path("increment") }, full);
  writing.abort();
  await Promise.all(writers);
  const chain = await openChain([full.path, increment.path]);
  for (const revision of [chain.oldestRevision, chain.newestRevision]) {
    assert.deepEqual(await linesAt(chain, revision), await linesOf(store, revision));
  }
  assert.deepEqual((await openBackup(full.path)).trailer, full.trailer);
});
