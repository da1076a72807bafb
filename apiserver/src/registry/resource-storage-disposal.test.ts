import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { StatusError } from "@gatehouse/envelopes/status";
import { observeCache } from "../client/observe-cache.js";
import { type CacheFixture, createCacheFixture, drain, podsPrefix } from "../storage/cache/cache.test.support.js";
import { ResourceCache } from "../storage/cache/resource-cache.js";
import { ResourceStorage } from "./resource-storage.js";

const isGone = (error: unknown): boolean => {
  assert.ok(error instanceof StatusError);
  const { code, reason, message } = error.status;
  assert.deepEqual(
    { code, reason, message },
    { code: 410, reason: "Expired", message: "the resource is no longer served" },
  );
  return true;
};

function storageOf({ store, feed, cache }: CacheFixture): ResourceStorage {
  return new ResourceStorage({ store, feed, cache, prefix: podsPrefix, namespaced: true, hasWatchCache: true });
}

describe("a resource that is taken out of service", () => {
  it("ends every watch with 410, those that wait and those that read the log", async () => {
    await using fixture = await createCacheFixture({ ringLimits: { maxEvents: 2, maxBytes: 1000 } });
    const { cache } = fixture;
    const from = await fixture.store.currentRevision();
    await cache.ready();
    for (let i = 0; i < 10; i++) {
      await fixture.put("a", String(i));
    }
    await fixture.settle();
    let woken = 0;
    const onEvents = (): void => {
      woken++;
    };
    const waiting = cache.watch({ afterRevision: cache.revision, onEvents });
    const late = cache.watch({ afterRevision: from, onEvents });
    cache[Symbol.dispose]();
    assert.equal(woken, 2);
    assert.throws(() => waiting.next(10), isGone);
    assert.throws(() => late.next(10), isGone);
    assert.throws(() => cache.watch({ afterRevision: from, onEvents }), isGone);
    waiting.close();
    late.close();
  });

  it("gives its memory back and answers no read and no write any more; the store keeps what it has", async () => {
    await using fixture = await createCacheFixture();
    const { cache, store } = fixture;
    const storage = storageOf(fixture);
    const revision = await fixture.put("a", "1");
    await cache.ready();
    const changed = storage.change(`${podsPrefix}a`, () => {
      storage[Symbol.dispose]();
      return { type: "delete" };
    });
    await assert.rejects(changed, isGone);
    assert.equal(cache.isReady, false);
    assert.equal(cache.memoryUse().heldBytes, 0);
    assert.equal(cache.get(`${podsPrefix}a`), undefined);
    const context = { signal: new AbortController().signal };
    await assert.rejects(async () => storage.catchUp(context), isGone);
    await assert.rejects(cache.snapshotAt(revision), isGone);
    await assert.rejects(storage.read(`${podsPrefix}a`), isGone);
    await assert.rejects(storage.create(`${podsPrefix}b`, { metadata: {} }), isGone);
    await fixture.put("a", "2");
    await fixture.settle();
    assert.equal(cache.get(`${podsPrefix}a`), undefined, "the feed tells it nothing more");
    assert.equal(String((await store.get(`${podsPrefix}a`)).kv?.value).includes('"2"'), true);
    storage[Symbol.dispose]();
  });

  it("does not come back when it was being filled", async () => {
    await using fixture = await createCacheFixture();
    const { cache } = fixture;
    await fixture.put("a", "1");
    const filling = cache.ready();
    cache[Symbol.dispose]();
    await assert.rejects(filling, isGone);
    assert.equal(cache.isReady, false);
    assert.equal(cache.memoryUse().heldBytes, 0);
  });

  it("can be served again by another cache, which the end of the first one does not touch", async () => {
    await using fixture = await createCacheFixture();
    const { cache, feed, store } = fixture;
    await cache.ready();
    const next = new ResourceCache({ store, feed, prefix: podsPrefix });
    await next.ready();
    cache[Symbol.dispose]();
    const from = next.revision;
    const revision = await fixture.put("a", "1");
    const events = await drain((onEvents) => next.watch({ afterRevision: from, onEvents }), revision);
    assert.deepEqual(
      events.map((event) => event.revision),
      [revision],
    );
  });

  it("lets controllers that observe it go", async () => {
    await using fixture = await createCacheFixture();
    const storage = storageOf(fixture);
    const seen: string[] = [];
    const observer = {
      onList: () => {},
      onEvent: ({ type }: { readonly type: string }) => void seen.push(type),
      onError: (error: unknown) => void seen.push(String(error)),
    };
    await observeCache(storage, observer, new AbortController().signal);
    await fixture.put("a", "1");
    await fixture.settle();
    storage[Symbol.dispose]();
    await fixture.put("a", "2");
    await fixture.settle();
    assert.deepEqual(seen, ["ADDED"]);
    assert.deepEqual(fixture.troubles, []);
  });
});
