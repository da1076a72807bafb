import assert from "node:assert/strict";
import { test } from "node:test";
import { isInt32, parsePercent, scaledIntOrPercent } from "./int-or-string.js";

test("32-bit integers are told from other numbers", () => {
  for (const value of [0, 1, -1, 2147483647, -2147483648]) {
    assert.equal(isInt32(value), true, String(value));
  }
  for (const value of [1.5, 2147483648, -2147483649, Number.NaN, Number.POSITIVE_INFINITY, "1", null, 1n]) {
    assert.equal(isInt32(value), false, String(value));
  }
});

test("a percentage is digits and a percent sign", () => {
  assert.equal(parsePercent("25%"), 25);
  assert.equal(parsePercent("25"), undefined);
  assert.equal(parsePercent("-25%"), undefined);
  assert.equal(parsePercent("1e2%"), undefined);
});

test("a percentage of a total is rounded as asked", () => {
  assert.equal(scaledIntOrPercent("25%", 10, true), 3);
  assert.equal(scaledIntOrPercent("25%", 10, false), 2);
  assert.equal(scaledIntOrPercent(7, 10, true), 7);
  assert.equal(scaledIntOrPercent("http", 10, true), undefined);
});
