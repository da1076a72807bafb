import assert from "node:assert/strict";
import { test } from "node:test";
import { isScalaDuration } from "./times.js";

test("durations are numbers with a unit, in Go's form or in words, anywhere in the text", () => {
  for (const text of ["1h", "1.5h30m", "3 days", "about 3\tdays or 4", "7 blocks, 2 weeks"]) {
    assert.equal(isScalaDuration(text), true, text);
  }
  for (const text of ["", "1", "days", "3 blocks", "9223372036854775808 days"]) {
    assert.equal(isScalaDuration(text), false, text);
  }
  // Hours would pass if a search began at each of the digits.
  assert.equal(isScalaDuration("1".repeat(3_000_000)), false);
});
