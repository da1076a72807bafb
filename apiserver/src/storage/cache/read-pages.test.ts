import assert from "node:assert/strict";
import { it } from "node:test";
import { createCacheFixture, podsPrefix, storedPod } from "./cache.test.support.js";
import { readPages } from "./read-pages.js";

/** The number of keys, for more than two pages. */
const count = 4500;

function podOf(index: number): Buffer {
  return storedPod(`pod-${index}`, "x".repeat((index * 7) % 600));
}

it("pages of a resource have every value, whether they remain valid or their memory is used again", async () => {
  await using fixture = await createCacheFixture();
  const keys = Array.from({ length: count }, (_, index) => `${podsPrefix}${String(index).padStart(5, "0")}`);
  await Promise.all(keys.map((key, index) => fixture.store.put(key, podOf(index), { expectedRevision: 0 })));
  for (const reusesMemory of [false, true]) {
    const kept: Buffer[] = [];
    let read = 0;
    for await (const { kvs } of readPages(fixture.store, podsPrefix, { reusesMemory })) {
      for (const { key, value } of kvs) {
        assert.equal(key, keys[read]);
        assert.deepEqual(value, podOf(read++));
        kept.push(value);
      }
    }
    assert.equal(read, count);
    const isWhole = kept.every((value, index) => value.equals(podOf(index)));
    assert.equal(isWhole, !reusesMemory);
  }
  await fixture.cache.ready();
  const entries = [...fixture.cache.snapshot().entries(podsPrefix)];
  assert.equal(entries.length, count);
  assert.ok(entries.every((entry, index) => entry.holds(podOf(index))));
});
