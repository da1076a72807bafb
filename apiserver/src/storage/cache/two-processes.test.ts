import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, it } from "node:test";
import { createCacheFixture, drain, podsPrefix, summarizeEvent } from "./cache.test.support.js";

/** Creates pods in a process of its own, one after the other; says so on standard output when the first one is there. */
function startWriter(directory: string, name: string, count: number) {
  const script = `
    import { openLmdbStore } from ${JSON.stringify(new URL("../lmdb/lmdb-store.js", import.meta.url))};
    import { storedPod } from ${JSON.stringify(new URL("./cache.test.support.js", import.meta.url))};
    const store = await openLmdbStore({ directory: ${JSON.stringify(directory)} });
    for (let i = 0; i < ${count}; i++) {
      const name = "${name}-" + i % 7;
      const { kv } = await store.get("${podsPrefix}" + name);
      const expectedRevision = kv?.modRevision ?? 0;
      await store.put("${podsPrefix}" + name, storedPod(name, String(i)), { expectedRevision });
      if (i === 0) {
        process.stdout.write("writing");
      }
    }
    await store[Symbol.asyncDispose]();
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return { started: once(child.stdout, "data"), ended: once(child, "close") };
}

describe("a cache of a directory that two processes write", () => {
  it("shows every watcher every change once, in order, whichever way it came", async () => {
    const each = 400;
    await using fixture = await createCacheFixture();
    const { cache, feed, store } = fixture;
    await cache.ready();
    const from = cache.revision;
    const last = from + 2 * each;
    const watch = () => drain((onEvents) => cache.watch({ afterRevision: from, onEvents }), last);
    const fromTheBeginning = [watch(), watch()];
    const { started, ended } = startWriter(fixture.directory, "there", each);
    await started;
    for (let i = 0; i < each; i++) {
      const revision = await fixture.put(`here-${i % 7}`, String(i));
      if (feed.revision >= revision) {
        assert.equal(cache.get(`${podsPrefix}here-${i % 7}`)?.revision, revision, "the feed has not skipped it");
      }
    }
    assert.deepEqual(await ended, [0, null]);
    await fixture.settle();
    assert.equal(await store.currentRevision(), last);
    for (const watched of [...(await Promise.all(fromTheBeginning)), await watch()]) {
      assert.deepEqual(
        watched.map((event) => event.revision),
        Array.from({ length: 2 * each }, (_, i) => from + 1 + i),
      );
      const newest = new Map<string, number>();
      for (const event of watched) {
        const { key } = event.entry;
        const was = newest.get(key);
        const expected = `${event.revision} ${was === undefined ? "ADDED" : "MODIFIED"} ${key.slice(podsPrefix.length)}`;
        assert.equal(summarizeEvent(event), `${expected} at ${event.revision}, was ${was ?? "absent"}`);
        newest.set(key, event.revision);
      }
    }
    for (const name of ["here-0", "there-0"]) {
      const { kv } = await store.get(podsPrefix + name);
      const entry = cache.get(podsPrefix + name);
      assert.equal(entry?.revision, kv?.modRevision);
      assert.ok(entry?.holds(kv?.value ?? Buffer.alloc(0)), "the bytes are those of the store");
    }
  });
});
