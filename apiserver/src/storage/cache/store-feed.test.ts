import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RevisionCompactedError, StoreDamagedError } from "../../errors/errors.js";
import { createCacheFixture, drain, podsPrefix, summarizeEvent } from "./cache.test.support.js";

async function waitUntil(condition: () => boolean): Promise<void> {
  for (const deadline = performance.now() + 60_000; !condition(); ) {
    assert.ok(performance.now() < deadline, "timed out");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe("the feed of the caches", () => {
  it("tells how far it has seen and lets others wait for a revision", async () => {
    await using fixture = await createCacheFixture();
    const { feed, store } = fixture;
    await feed.started();
    assert.equal(feed.revision, await store.currentRevision());
    const { signal } = new AbortController();
    const waiting = feed.waitFor(feed.revision + 1, signal, 5000);
    const revision = await fixture.put("a");
    assert.equal(await waiting, true);
    assert.equal(await feed.waitFor(revision, signal, 0), true);
    assert.equal(await feed.waitFor(revision + 1, signal, 20), false);
    const stop = new AbortController();
    const abandoned = feed.waitFor(revision + 1, stop.signal, 5000);
    stop.abort();
    assert.equal(await abandoned, false);
  });

  it("goes on without a gap when its watch breaks, and reports the trouble once", async () => {
    await using fixture = await createCacheFixture();
    const { cache, feed, store } = fixture;
    await cache.ready();
    const from = cache.revision;
    await fixture.put("a", "1");
    await fixture.settle();
    const mendWatches = fixture.breakWatches(new Error("connection lost"));
    await waitUntil(() => fixture.troubles.length > 0);
    await fixture.put("a", "2");
    await fixture.put("b", "1");
    mendWatches();
    await fixture.settle();
    assert.deepEqual(fixture.troubles, [new Error("connection lost")]);
    assert.equal(feed.revision, await store.currentRevision());
    const events = await drain((onEvents) => cache.watch({ afterRevision: from, onEvents }), feed.revision);
    assert.deepEqual(
      events.map((event) => event.revision),
      [from + 1, from + 2, from + 3],
    );
    assert.equal(fixture.calls.range, 1, "nothing had to be read again");
  });

  it("reads its caches anew when changes are lost, and gives watchers the difference as events", async () => {
    await using fixture = await createCacheFixture();
    const { cache, feed, store } = fixture;
    const kept = await fixture.put("kept", "1");
    const changed = await fixture.put("changed", "1");
    const removed = await fixture.put("removed", "1");
    await cache.ready();
    let wake = (): void => {};
    const from = cache.revision;
    const watcher = cache.watch({ afterRevision: from, onEvents: () => wake() });
    const mendWatches = fixture.breakWatches(new RevisionCompactedError(from + 1));
    await waitUntil(() => fixture.troubles.length > 0);
    await fixture.put("changed", "2");
    const changedAgain = await fixture.put("changed", "3");
    await fixture.remove("removed");
    const added = await fixture.put("added", "1");
    await store.compact(await store.currentRevision());
    mendWatches();
    await fixture.settle();
    const events = await drain((onEvents) => {
      wake = onEvents;
      return watcher;
    }, feed.revision);
    assert.deepEqual(events.map(summarizeEvent), [
      `${changedAgain} MODIFIED changed at ${changedAgain}, was ${changed}`,
      `${added} ADDED added at ${added}, was absent`,
      `${added} DELETED removed at ${added}, was ${removed}`,
    ]);
    assert.equal(fixture.troubles.length, 1);
    assert.equal(cache.get(`${podsPrefix}kept`)?.revision, kept);
    await assert.rejects(cache.snapshotAt(from), RevisionCompactedError, "the ring cannot tell what was in the gap");
    const next = await fixture.put("kept", "2");
    await fixture.settle();
    const later = await drain((onEvents) => cache.watch({ afterRevision: added, onEvents }), next);
    assert.deepEqual(later.map(summarizeEvent), [`${next} MODIFIED kept at ${next}, was ${kept}`]);
  });

  it("passes a damaged change: caches begin anew from now, and what comes after is seen", async () => {
    await using fixture = await createCacheFixture();
    const { cache, feed } = fixture;
    const whole = await fixture.put("whole", "1");
    await cache.ready();
    await feed.started();
    await fixture.settle();
    const from = feed.revision;
    const mendWatches = fixture.breakWatches(new StoreDamagedError({ revision: from + 1, detail: "a test" }));
    await waitUntil(() => fixture.troubles.length > 0);
    const added = await fixture.put("added", "1");
    mendWatches();
    await fixture.settle();
    assert.equal(cache.get(`${podsPrefix}whole`)?.revision, whole);
    assert.equal(cache.get(`${podsPrefix}added`)?.revision, added);
    const later = await fixture.put("whole", "2");
    await fixture.settle();
    assert.equal(cache.get(`${podsPrefix}whole`)?.revision, later);
    assert.equal(fixture.troubles.length, 1);
  });

  it("hands events only to the cache of their resource, of one path segment or two", async () => {
    await using fixture = await createCacheFixture();
    const { feed, store } = fixture;
    const seen: string[] = [];
    for (const prefix of ["/registry/pods/", "/registry/apps/deployments/", "/registry/apps/"]) {
      feed.register({
        prefix,
        onEvents: (events) => seen.push(...events.map((event) => `${prefix} ${event.key}`)),
        wantsEvents: true,
        onProgress: () => {},
        onLost: async () => {},
        readDamagedAnew: async () => {},
      });
    }
    await feed.started();
    for (const key of ["/registry/pods/a/b", "/registry/pod", "/registry/podsx/a", "/registry/batch/jobs/a/b"]) {
      await store.put(key, Buffer.from("{}"), { expectedRevision: 0 });
    }
    await fixture.settle();
    assert.deepEqual(seen, ["/registry/pods/ /registry/pods/a/b"]);
  });
});
