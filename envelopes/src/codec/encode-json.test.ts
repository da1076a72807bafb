import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonValue } from "../json/json.js";
import { encodeJson } from "./encode-json.js";

const rows: readonly (readonly [string, JsonValue, string])[] = [
  ["angle brackets and ampersands are escaped", { a: "<b> & c" }, '{"a":"\\u003cb\\u003e \\u0026 c"}'],
  ["line and paragraph separators are escaped", ["\u2028\u2029"], '["\\u2028\\u2029"]'],
  ["backspace and form feed have no short form", ["\b\f\n\t"], '["\\u0008\\u000c\\n\\t"]'],
  ["a backslash before b is no backspace", ["\\b\\f<"], '["\\\\b\\\\f\\u003c"]'],
  ["escapes reach keys", { "<": 1 }, '{"\\u003c":1}'],
  ["large integers keep their digits", { a: 9007199254740993n, b: [1n] }, '{"a":9007199254740993,"b":[1]}'],
  ["keys that look like indices are sorted as text", { "9": 1, "10": 2, a: 3, "-": 4 }, '{"-":4,"10":2,"9":1,"a":3}'],
  ["undefined members are absent", { a: undefined, b: 1n }, '{"b":1}'],
  ["struct order is kept beside a map with numeric keys", { z: 1, a: { "2": 1, "1": 2 } }, '{"z":1,"a":{"1":2,"2":1}}'],
  ["numbers are written as Go writes them", [1e21, 1e-7, 1e20, 0.1, -0], "[1e+21,1e-7,100000000000000000000,0.1,0]"],
  ["empty containers", { a: {}, b: [], c: 1n }, '{"a":{},"b":[],"c":1}'],
];

for (const [name, value, expected] of rows) {
  test(name, () => {
    assert.equal(encodeJson(value), expected);
  });
}

test("the exact writer indents as JSON.stringify does", () => {
  const value = { "10": [1, { a: [], b: {} }, []], "9": { c: "<" } };
  const expected = `{
  "10": [
    1,
    {
      "a": [],
      "b": {}
    },
    []
  ],
  "9": {
    "c": "\\u003c"
  }
}`;
  assert.equal(encodeJson(value, 2), expected);
});
