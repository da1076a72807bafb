import assert from "node:assert/strict";
import { test } from "node:test";
import { yieldToEventLoop } from "@gatehouse/envelopes/scheduling";
import { eachUntilFailure } from "./until-failure.js";

test("every item has its turn, so many at a time", async () => {
  const done: number[] = [];
  let running = 0;
  let most = 0;
  await eachUntilFailure([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    most = Math.max(most, ++running);
    await yieldToEventLoop();
    running--;
    done.push(item);
  });
  assert.deepEqual(done.sort(), [1, 2, 3, 4, 5, 6, 7]);
  assert.equal(most, 3);
});

test("after a failure nothing is begun, and nothing runs on behind the error", async () => {
  const begun: number[] = [];
  let running = 0;
  const run = eachUntilFailure(
    Array.from({ length: 100 }, (_, i) => i),
    4,
    async (item) => {
      begun.push(item);
      running++;
      await yieldToEventLoop();
      running--;
      if (item >= 5) {
        throw new Error(`no ${item}`);
      }
    },
  );
  await assert.rejects(run, /^Error: no 5$/);
  assert.equal(running, 0);
  const count = begun.length;
  assert.ok(count <= 9, `${count} were begun`);
  await yieldToEventLoop();
  assert.equal(begun.length, count);
});
