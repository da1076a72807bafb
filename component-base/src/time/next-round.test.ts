import assert from "node:assert/strict";
import { test } from "node:test";
import { currentRound, inNextRound } from "./next-round.js";

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

test("Work of one round sees one number, that of a later round another one, and nothing else a number", async () => {
  const seen: (number | undefined)[] = [];
  const look = (): void => void seen.push(currentRound());
  inNextRound(() => {
    look();
    inNextRound(look);
    queueMicrotask(look);
  });
  inNextRound(look);
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  const [first, second, between, later] = seen;
  assert.ok(first !== undefined && later !== undefined);
  assert.deepEqual([second, between, later > first, currentRound()], [first, undefined, true, undefined]);
});
