import assert from "node:assert/strict";
import { test } from "node:test";
import { TokenBucket } from "./token-bucket.js";

test("a bucket lets its burst through at once, and then as many as its rate", () => {
  const bucket = new TokenBucket(2, 3, 0);
  const take = (nowMs: number) => bucket.tryTake(nowMs);
  assert.deepEqual([take(0), take(0), take(0), take(0)], [true, true, true, false]);
  assert.deepEqual([take(499), take(500), take(500), take(1000)], [false, true, false, true]);
});

test("a bucket never holds more than its burst", () => {
  const bucket = new TokenBucket(1000, 2, 0);
  assert.deepEqual(
    [1, 2, 3].map(() => bucket.tryTake(60_000)),
    [true, true, false],
  );
});

test("a clock that goes backwards fills nothing", () => {
  const bucket = new TokenBucket(1, 1, 10_000);
  assert.deepEqual([bucket.tryTake(10_000), bucket.tryTake(0), bucket.tryTake(10_500)], [true, false, false]);
  assert.equal(bucket.tryTake(11_000), true);
});
