import assert from "node:assert/strict";
import { test } from "node:test";
import { ByteBudget } from "./byte-budget.js";

test("a holder gets as many bytes as it leaves free for others", () => {
  const budget = new ByteBudget(100);
  assert.deepEqual([budget.tryTake("a", 50), budget.tryTake("a", 1)], [true, false]);
  assert.deepEqual([budget.tryTake("b", 26), budget.tryTake("b", 25)], [false, true]);
  assert.deepEqual([budget.tryTake("c", 13), budget.tryTake("c", 12)], [false, true]);
  assert.equal(budget.taken, 87);
});

test("bytes that are given back are there again, for the holder and for others", () => {
  const budget = new ByteBudget(100);
  assert.ok(budget.tryTake("a", 30) && budget.tryTake("a", 20));
  budget.give("a", 20);
  assert.deepEqual([budget.tryTake("a", 21), budget.tryTake("b", 35)], [false, true]);
  budget.give("a", 30);
  budget.give("b", 35);
  assert.deepEqual([budget.taken, budget.tryTake("b", 50)], [0, true]);
});
