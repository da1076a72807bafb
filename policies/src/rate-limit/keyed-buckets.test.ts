import assert from "node:assert/strict";
import { test } from "node:test";
import { KeyedBuckets } from "./keyed-buckets.js";

test("every key has a bucket of its own", () => {
  const buckets = new KeyedBuckets({ perSecond: 1, burst: 1, maxKeys: 10 });
  const take = (key: string, nowMs: number) => buckets.tryTake(key, nowMs);
  assert.deepEqual([take("a", 0), take("a", 0), take("b", 0), take("a", 1000)], [true, false, true, true]);
});

test("the key that was used least recently is forgotten, and starts full", () => {
  const buckets = new KeyedBuckets({ perSecond: 1, burst: 1, maxKeys: 2 });
  const take = (key: string) => buckets.tryTake(key, 0);
  assert.deepEqual([take("a"), take("b"), take("a")], [true, true, false]);
  // "b" has been away longest.
  assert.deepEqual([take("c"), take("a"), take("b"), take("c")], [true, false, true, true]);
});

test("names that objects have by themselves are keys like any other", () => {
  const buckets = new KeyedBuckets({ perSecond: 1, burst: 1, maxKeys: 2 });
  assert.deepEqual([buckets.tryTake("__proto__", 0), buckets.tryTake("__proto__", 0)], [true, false]);
});
