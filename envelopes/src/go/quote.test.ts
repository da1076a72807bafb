import assert from "node:assert/strict";
import { test } from "node:test";
import { goQuote } from "./quote.js";

for (const [name, text, expected] of [
  ["a plain text", "a-b.c", '"a-b.c"'],
  ["quotes and backslashes", 'a"\\', '"a\\"\\\\"'],
  ["controls with a letter", "\n\t\x07\v", '"\\n\\t\\a\\v"'],
  ["controls without", "\0\x1b\x7f", '"\\x00\\x1b\\x7f"'],
  ["letters of any language", "é日😀", '"é日😀"'],
  ["spaces that are none", "\u00a0\u2028", '"\\u00a0\\u2028"'],
] as const) {
  test(`${name} is quoted as Go does`, () => assert.equal(goQuote(text), expected));
}
