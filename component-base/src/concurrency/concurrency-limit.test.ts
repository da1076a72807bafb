import assert from "node:assert/strict";
import { test } from "node:test";
import { ConcurrencyLimit } from "./concurrency-limit.js";

const forever = new AbortController().signal;

test("calls beyond the limit are let in in the order of their coming, one for each that leaves", async () => {
  const limit = new ConcurrencyLimit({ maxConcurrent: 1, maxWaiting: 2 });
  const entered: string[] = [];
  assert.equal(limit.tryEnter(), true);
  assert.equal(limit.tryEnter(), false);
  const calls = ["first", "second"].map(async (name) => {
    assert.equal(await limit.enter(forever), true);
    entered.push(name);
  });
  limit.leave();
  await calls[0];
  assert.deepEqual([entered, limit.running, limit.waiting], [["first"], 1, 1]);
  limit.leave();
  await calls[1];
  assert.deepEqual([entered, limit.running, limit.waiting], [["first", "second"], 1, 0]);
  limit.leave();
  assert.equal(limit.running, 0);
});

test("a call for which there is no place to wait is refused at once", async () => {
  const limit = new ConcurrencyLimit({ maxConcurrent: 1, maxWaiting: 1 });
  limit.tryEnter();
  const waiting = limit.enter(forever);
  assert.equal(await limit.enter(forever), false);
  limit.leave();
  assert.equal(await waiting, true);
});

test("a call that ends while it waits takes no place, and leaves its own to the next one", async () => {
  const limit = new ConcurrencyLimit({ maxConcurrent: 1, maxWaiting: 2 });
  limit.tryEnter();
  const caller = new AbortController();
  const ended = limit.enter(caller.signal);
  const next = limit.enter(forever);
  caller.abort();
  assert.equal(await ended, false);
  assert.equal(limit.waiting, 1);
  limit.leave();
  assert.equal(await next, true);
  assert.equal(limit.running, 1);
  assert.equal(await limit.enter(caller.signal), false);
});
