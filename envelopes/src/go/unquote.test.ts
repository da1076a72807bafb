import assert from "node:assert/strict";
import { test } from "node:test";
import { goUnquote } from "./unquote.js";

test("a text between quotes is read as Go reads it", () => {
  const texts: readonly (readonly [string, string])[] = [
    ["", ""],
    ["aü\n", "aü\n"],
    [String.raw`\a\b\f\n\r\t\v\\`, "\x07\b\f\n\r\t\v\\"],
    [String.raw`it\'s`, "it's"],
    [String.raw`\xc3\xbc\303\274`, "üü"],
    [String.raw`\u00fc\U0001F600`, "ü😀"],
    [String.raw`\xff`, "\ufffd"],
    ['"', '"'],
  ];
  for (const [written, expected] of texts) {
    assert.equal(goUnquote(written, "'"), expected, written);
  }
});

test("a text that Go does not read is refused", () => {
  const wrong = ["'", "\\", "\\p", '\\"', "\\x1", "\\X41", "\\400", "\\8", "\\ud800", "\\U00110000", "\\A"];
  for (const written of wrong) {
    assert.equal(goUnquote(written, "'"), undefined, written);
  }
});
