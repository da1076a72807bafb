import assert from "node:assert/strict";
import { test } from "node:test";
import { inNextRound } from "./next-round.js";

test("Work is done in order and not at once, and what it asks for comes in a round of its own", async () => {
  const done: string[] = [];
  inNextRound(() => {
    done.push("first");
    inNextRound(() => done.push("later"));
    setImmediate(() => done.push("between"));
  });
  inNextRound(() => done.push("second"));
  assert.deepEqual(done, []);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(done, ["first", "second"]);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(done, ["first", "second", "later", "between"]);
});
