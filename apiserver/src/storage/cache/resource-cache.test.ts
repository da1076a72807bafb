import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { RevisionCompactedError, RevisionInFutureError } from "../../errors/errors.js";
import type { RangeOptions, Store } from "../store.js";
import {
  type CacheFixture,
  createCacheFixture,
  drain,
  podsPrefix,
  storedPod,
  summarizeEvent,
} from "./cache.test.support.js";
import { CacheEntry } from "./cache-entry.js";
import { CacheEvent } from "./cache-event.js";
import { ResourceCache } from "./resource-cache.js";
import { keyAfter, type Snapshot } from "./snapshot.js";

function describeSnapshot(snapshot: Snapshot): string[] {
  return [...snapshot.entries(podsPrefix)].map((entry) => `${entry.key.slice(podsPrefix.length)}@${entry.revision}`);
}

const writes = fc.record({
  type: fc.constantFrom("put" as const, "put" as const, "delete" as const, "other" as const),
  name: fc.constantFrom("a", "b", "b-1", "c", "d"),
  size: fc.integer({ min: 0, max: 400 }),
});

/** The expected states and events of the store, by revision. */
interface Model {
  readonly states: Map<number, Map<string, number>>;
  readonly events: { readonly revision: number; readonly text: string }[];
}

async function write(
  fixture: CacheFixture,
  model: Model,
  commands: readonly (typeof writes extends fc.Arbitrary<infer T> ? T : never)[],
) {
  let state = model.states.get(await fixture.store.currentRevision()) ?? new Map<string, number>();
  for (const { type, name, size } of commands) {
    const old = state.get(name);
    state = new Map(state);
    if (type === "other") {
      const key = `/registry/services/${await fixture.store.currentRevision()}`;
      const result = await fixture.store.put(key, Buffer.from("{}"), { expectedRevision: 0 });
      assert.ok(result.succeeded);
      model.states.set(result.revision, state);
    } else if (type === "put" || old === undefined) {
      const revision = await fixture.put(name, "x".repeat(size));
      state.set(name, revision);
      const verb = old === undefined ? "ADDED" : "MODIFIED";
      model.events.push({ revision, text: `${revision} ${verb} ${name} at ${revision}, was ${old ?? "absent"}` });
      model.states.set(revision, state);
    } else {
      const revision = await fixture.remove(name);
      state.delete(name);
      model.events.push({ revision, text: `${revision} DELETED ${name} at ${revision}, was ${old}` });
      model.states.set(revision, state);
    }
  }
}

describe("the cache of a resource", () => {
  it("equals a simple model at every retained revision, and its watchers see exactly the model's changes", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(writes, { maxLength: 40 }),
        fc.array(writes, { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 12 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (before, after, maxEvents, compactAt) => {
          await using fixture = await createCacheFixture({ ringLimits: { maxEvents, maxBytes: 4000 } });
          const { cache, store } = fixture;
          const start = await store.currentRevision();
          const model: Model = { states: new Map([[start, new Map()]]), events: [] };
          await write(fixture, model, before);
          await cache.ready();
          const filledAt = cache.revision;
          let wake = (): void => {};
          const live = cache.watch({ afterRevision: filledAt, onEvents: () => wake() });
          await write(fixture, model, after);
          await fixture.settle();
          const last = await store.currentRevision();
          assert.equal(cache.revision, last);
          const liveEvents = await drain((onEvents) => {
            wake = onEvents;
            return live;
          }, last);
          assert.deepEqual(
            liveEvents.map(summarizeEvent),
            model.events.filter((event) => event.revision > filledAt).map((event) => event.text),
          );
          const compacted = start + Math.floor((last - start) * compactAt);
          await store.compact(compacted);
          for (const [revision, state] of model.states) {
            const expected = [...state].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, at]) => `${name}@${at}`);
            try {
              assert.deepEqual(describeSnapshot(await cache.snapshotAt(revision)), expected);
              const watched = await drain((onEvents) => cache.watch({ afterRevision: revision, onEvents }), last);
              assert.deepEqual(
                watched.map(summarizeEvent),
                model.events.filter((event) => event.revision > revision).map((event) => event.text),
              );
            } catch (error) {
              assert.ok(error instanceof RevisionCompactedError && revision < compacted, String(error));
            }
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it("serves objects with their resource version, the last state of deleted ones with that of the deletion", async () => {
    await using fixture = await createCacheFixture();
    const { cache } = fixture;
    await cache.ready();
    const from = cache.revision;
    const created = await fixture.put("a", "1");
    await fixture.settle();
    const entry = cache.get(`${podsPrefix}a`);
    assert.equal(entry?.revision, created);
    const expected = (revision: number) => {
      const { uid, ...rest } = JSON.parse(String(storedPod("a", "1"))).metadata;
      return {
        ...JSON.parse(String(storedPod("a", "1"))),
        metadata: { uid, resourceVersion: String(revision), ...rest },
      };
    };
    assert.deepEqual(entry?.object(), expected(created));
    assert.ok(entry?.holds(storedPod("a", "1")));
    assert.ok(!entry?.holds(storedPod("a", "2")));
    const removed = await fixture.remove("a");
    const events = await drain((onEvents) => cache.watch({ afterRevision: from, onEvents }), removed);
    assert.deepEqual(events.at(-1)?.entry.object(), expected(removed));
    assert.deepEqual(events.at(-1)?.previous?.object(), expected(created));
    assert.equal(cache.get(`${podsPrefix}a`), undefined);
  });

  it("gives labels and selectable fields without keeping the object", async () => {
    await using fixture = await createCacheFixture();
    await fixture.put("a", "text");
    await fixture.cache.ready();
    const entry = fixture.cache.get(`${podsPrefix}a`);
    assert.deepEqual(entry?.labels(), { app: "a" });
    let extracted = 0;
    const extractors = new Map([
      [
        "spec.text",
        (object: object) => {
          extracted++;
          return (object as { spec: { text: string } }).spec.text;
        },
      ],
    ]);
    assert.equal(entry?.field("spec.text", extractors), "text");
    assert.equal(entry?.field("spec.text", extractors), "text");
    assert.equal(entry?.field("spec.other", extractors), "");
    assert.equal(extracted, 2);
  });

  it("pages a snapshot by key, counts without listing, and does not see later changes in it", async () => {
    await using fixture = await createCacheFixture();
    for (const name of ["a", "b", "b/1", "c"]) {
      await fixture.put(name);
    }
    await fixture.cache.ready();
    const snapshot = fixture.cache.snapshot();
    await fixture.remove("a");
    await fixture.put("b", "changed");
    await fixture.settle();
    const names = (prefix: string, fromKey?: string) =>
      [...snapshot.entries(prefix, fromKey)].map((entry) => entry.key);
    assert.deepEqual(
      names(podsPrefix),
      ["a", "b", "b/1", "c"].map((name) => podsPrefix + name),
    );
    assert.deepEqual(names(podsPrefix, keyAfter(`${podsPrefix}b`)), [`${podsPrefix}b/1`, `${podsPrefix}c`]);
    assert.deepEqual(names(podsPrefix, `${podsPrefix}c`), [`${podsPrefix}c`]);
    assert.deepEqual(names(`${podsPrefix}b/`), [`${podsPrefix}b/1`]);
    assert.equal(snapshot.count(podsPrefix), 4);
    assert.equal(snapshot.count(podsPrefix, keyAfter(`${podsPrefix}b`)), 2);
    assert.equal(snapshot.count(`${podsPrefix}b/`), 1);
    assert.equal(fixture.cache.snapshot().count(podsPrefix), 3);
  });

  it("serves old revisions as long as the store retains them, from memory or not, and refuses the future", async () => {
    await using fixture = await createCacheFixture({ ringLimits: { maxEvents: 2, maxBytes: 1000 } });
    const { cache, store } = fixture;
    await cache.ready();
    const first = await fixture.put("a");
    await fixture.settle();
    cache.keep(cache.snapshot());
    for (let i = 0; i < 5; i++) {
      await fixture.put("a", String(i));
    }
    await fixture.settle();
    for (let revision = first; revision <= cache.revision; revision++) {
      assert.deepEqual(describeSnapshot(await cache.snapshotAt(revision)), [`a@${revision}`]);
    }
    const ranges = fixture.calls.range;
    await Promise.all([cache.snapshotAt(first), cache.snapshotAt(first + 1), cache.snapshotAt(cache.revision)]);
    assert.equal(fixture.calls.range, ranges, "what has been read once is kept");
    await store.compact(first + 3);
    await assert.rejects(cache.snapshotAt(first), RevisionCompactedError);
    assert.deepEqual(describeSnapshot(await cache.snapshotAt(first + 3)), [`a@${first + 3}`]);
    await assert.rejects(cache.snapshotAt(cache.revision + 1), RevisionInFutureError);
  });

  it("ends a watcher that is so slow that ring and store have forgotten its changes, and disturbs no other", async () => {
    await using fixture = await createCacheFixture({ ringLimits: { maxEvents: 2, maxBytes: 1000 } });
    const { cache, store } = fixture;
    await cache.ready();
    const from = cache.revision;
    const slow = cache.watch({ afterRevision: from, onEvents: () => {} });
    for (let i = 0; i < 6; i++) {
      await fixture.put("a", String(i));
    }
    const last = await store.currentRevision();
    const events = await drain((onEvents) => cache.watch({ afterRevision: from, onEvents }), last);
    assert.equal(events.length, 6);
    await store.compact(last);
    assert.deepEqual(slow.next(10), [], "the ring has moved on: the log is asked");
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.throws(() => slow.next(10), RevisionCompactedError);
    slow.close();
  });

  it("fills itself once, in pages, although changes go on meanwhile", async () => {
    await using fixture = await createCacheFixture();
    const { store, cache } = fixture;
    const names = Array.from({ length: 4500 }, (_, i) => `pod-${String(i).padStart(4, "0")}`);
    const put = (name: string, text: string, expectedRevision = 0) =>
      store.put(podsPrefix + name, storedPod(name, text), { expectedRevision });
    await Promise.all(names.map((name) => put(name, "1")));
    const filling = Promise.all([cache.ready(), cache.ready()]);
    await Promise.all(names.slice(0, 100).map((name) => fixture.put(name, "2")));
    await fixture.remove("pod-0200");
    await filling;
    await fixture.settle();
    assert.equal(fixture.calls.range, 3);
    assert.equal(cache.snapshot().count(podsPrefix), 4499);
    const { kvs } = await store.range({ prefix: podsPrefix });
    assert.deepEqual(
      describeSnapshot(cache.snapshot()),
      kvs.map((kv) => `${kv.key.slice(podsPrefix.length)}@${kv.modRevision}`),
    );
  });

  it("is filled by a later try when the first one has failed, with all that came in between", async () => {
    await using fixture = await createCacheFixture();
    const { store, feed } = fixture;
    await fixture.put("a");
    let fails = true;
    const front = Object.assign(Object.create(store) as Store, {
      get: store.get.bind(store),
      watch: store.watch.bind(store),
      range: async (options: RangeOptions) => {
        if (fails) {
          throw new Error("no");
        }
        return store.range(options);
      },
    });
    const cache = new ResourceCache({ store: front, feed, prefix: podsPrefix });
    await assert.rejects(cache.ready(), /^Error: no$/);
    const between = await fixture.put("b");
    await fixture.settle();
    fails = false;
    const filling = cache.ready();
    const after = await fixture.put("c");
    await filling;
    await fixture.settle();
    assert.deepEqual(describeSnapshot(cache.snapshot()).slice(1), [`b@${between}`, `c@${after}`]);
  });

  it("writes every object once into its arena, and keeps no more of replaced ones than pages of lists may need", async () => {
    await using fixture = await createCacheFixture();
    const { feed, store } = fixture;
    const cache = new ResourceCache({ store, feed, prefix: podsPrefix, maxKeptBytes: 20_000 });
    const names = Array.from({ length: 20 }, (_, i) => `pod-${i}`);
    for (const name of names) {
      await fixture.put(name, "x".repeat(1000));
    }
    await cache.ready();
    const revisions: number[] = [];
    for (let round = 0; round < 4; round++) {
      const snapshot = cache.snapshot();
      cache.keep(snapshot);
      revisions.push(snapshot.revision);
      for (const name of names) {
        await fixture.put(name, String(round).repeat(1000));
      }
      await fixture.settle();
    }
    const { liveBytes, tenants } = cache.memoryUse();
    const entries = [...cache.snapshot().entries(podsPrefix)];
    assert.equal(tenants, names.length);
    assert.equal(
      liveBytes,
      entries.reduce((sum, entry) => sum + entry.length, 0),
    );
    for (const [round, revision] of revisions.entries()) {
      // Kept or read anew, the state is the same.
      const texts = [...(await cache.snapshotAt(revision)).entries(podsPrefix)].map((entry) => entry.object()["spec"]);
      const text = round === 0 ? "x" : String(round - 1);
      assert.deepEqual(texts, Array(names.length).fill({ text: text.repeat(1000) }));
    }
  });

  it("keeps no encodings of runs of events for watchers that are not there any more", async () => {
    const event = new CacheEvent(
      "ADDED",
      2,
      CacheEntry.fromStore({ key: `${podsPrefix}a`, value: storedPod("a", ""), modRevision: 2 }),
      undefined,
    );
    event.batches.set("json since 1", new WeakRef(Buffer.from("x")));
    event.frames.set("json", Buffer.from("x"));
    event.forgetFrames();
    assert.equal(event.batches.size, 0);
    event.frames.set("json", Buffer.from("x"));
    assert.equal(event.frames.size, 0);
  });
});
