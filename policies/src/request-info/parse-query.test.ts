import assert from "node:assert/strict";
import { test } from "node:test";
import { parseQuery } from "./parse-query.js";

const queries: readonly (readonly [name: string, text: string, pairs: readonly (readonly [string, string])[]])[] = [
  ["nothing", "", []],
  [
    "well-formed pairs",
    "limit=5&labelSelector=a%3Db+c",
    [
      ["limit", "5"],
      ["labelSelector", "a=b c"],
    ],
  ],
  ["a value with a percent sign that begins no escape", "limit=%zz&a=1", [["a", "1"]]],
  ["a name with one", "%4=x&a=1", [["a", "1"]]],
  ["an escape that the end cuts short", "a=1&limit=%4", [["a", "1"]]],
  ["a pair with a semicolon", "limit=1;b=2&a=1", [["a", "1"]]],
  ["an escaped semicolon", "a=1%3Bb", [["a", "1;b"]]],
  ["nothing but misshapen pairs", "a=%&b;", []],
];

for (const [name, text, pairs] of queries) {
  test(`a query of ${name}`, () => {
    assert.deepEqual([...parseQuery(text)], pairs);
  });
}
