import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import { compileRootSchema } from "../compile-schema.js";
import { listUniquenessErrors } from "./list-uniqueness.js";

const text = { type: "string" };
const keyed = (...keys: string[]): JsonObject => ({
  type: "array",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": keys,
  items: { type: "object", properties: { a: text, b: text, constructor: text } },
});
const set: JsonObject = { type: "array", "x-kubernetes-list-type": "set", items: text };

const rows: readonly [name: string, list: JsonObject, value: JsonValue, errors: string[]][] = [
  ["a set of distinct texts", set, ["a", "b"], []],
  ["a set with a text twice", set, ["a", "b", "a", "a"], ['list[2]: Duplicate value: "a"']],
  ["a set of a text and a number that look alike", set, ["1", 1], []],
  ["a set with a number twice", set, [1, 2, 1], ["list[2]: Duplicate value: 1"]],
  ["items with distinct keys", keyed("a"), [{ a: "x" }, { a: "y" }], []],
  [
    "items with the same key",
    keyed("a"),
    [{ a: "x", b: "1" }, { a: "x" }],
    ['list[1]: Duplicate value: map[string]interface {}{"a":"x"}'],
  ],
  ["items without their key", keyed("a"), [{}, {}], ["list[1]: Duplicate value: map[string]interface {}{}"]],
  ["an item without its key whose name every object inherits", keyed("constructor"), [{}, { constructor: "x" }], []],
  ["items of which one key of two is the same", keyed("a", "b"), [{ a: "x", b: "1" }, { a: "x" }], []],
  [
    "items that are no objects",
    keyed("a"),
    ["a"],
    ['list[0]: Invalid value: "a": must be an object for an array of list-type map'],
  ],
];

for (const [name, list, value, errors] of rows) {
  test(`${name}: ${errors.length === 0 ? "no error" : "one error"}`, () => {
    const schema = compileRootSchema({ type: "object", properties: { list, outer: { type: "array", items: list } } });
    const textsOf = (object: JsonObject): string[] =>
      listUniquenessErrors(schema, object).map(({ field, message }) => `${field}: ${message}`);
    assert.deepEqual(textsOf({ list: value }), errors);
    assert.deepEqual(
      textsOf({ outer: [null, value] }),
      errors.map((error) => error.replace("list", "outer[1]")),
    );
  });
}
