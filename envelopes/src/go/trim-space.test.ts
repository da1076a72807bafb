import assert from "node:assert/strict";
import { test } from "node:test";
import { trimSpace } from "./trim-space.js";

const rows: readonly (readonly [string, string])[] = [
  ["", ""],
  [" \t\r\n\v\f", ""],
  [" a b\n", "a b"],
  ["\u0085a\u3000", "a"],
  ["\ufeffa\u200b", "\ufeffa\u200b"],
];

for (const [text, trimmed] of rows) {
  test(`${JSON.stringify(text)} without white space around it is ${JSON.stringify(trimmed)}`, () => {
    assert.equal(trimSpace(text), trimmed);
  });
}

test("a long text of white space takes time in proportion to its length", () => {
  const blanks = " ".repeat(1_000_000);
  const started = process.cpuUsage();
  assert.equal(trimSpace(`a${blanks}b${blanks}`), `a${blanks}b`);
  // Milliseconds; it was hours.
  assert.ok(process.cpuUsage(started).user < 5e6);
});
