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

test("a long text of white space is trimmed in no time", () => {
  const blanks = " ".repeat(1_000_000);
  const start = performance.now();
  assert.equal(trimSpace(`a${blanks}b${blanks}`), `a${blanks}b`);
  assert.ok(performance.now() - start < 1000);
});
