import assert from "node:assert/strict";
import { test } from "node:test";
import { fractionalBytes } from "./fractional-bytes.js";

/** Amounts that v1.29's own parser warns about, some of them because thousandths overflow its 64 bits. */
const warned = ["0.5", "1u", "1500m", "7Ei", "1Ei", "1.5Ei", "9Pi", "100Pi", "9223372036854776", "9223372036854775.5"];
const silent = ["1", "1Pi", "8Ei", "9Ei", "8191Pi", "9000P", "1e16", "1e30", "9223372036854775", "9223372036854775807"];

test("amounts of bytes are warned of as v1.29 does", () => {
  for (const amount of [...warned, ...silent]) {
    const text = `limits[memory]: fractional byte value "${amount}" is invalid, must be an integer`;
    const expected = warned.includes(amount) ? [text] : [];
    assert.deepEqual(fractionalBytes({ memory: amount }, "limits", "memory"), expected, amount);
  }
});
