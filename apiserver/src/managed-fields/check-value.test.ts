import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import { compileRootSchema } from "@gatehouse/policies/structural-schemas";
import fc from "fast-check";
import { checkValue, isPlainlyOfType } from "./check-value.js";
import { FieldsError } from "./fields-error.js";
import { mergeTypeOf } from "./merge-type.js";

const named = { type: "object", properties: { name: { type: "string" }, port: { type: "integer" } } };
const type = mergeTypeOf(
  compileRootSchema({
    type: "object",
    properties: {
      text: { type: "string" },
      amount: { "x-kubernetes-int-or-string": true },
      labels: { type: "object", additionalProperties: { type: "string" } },
      keyed: { type: "array", items: named, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] },
      set: { type: "array", items: { type: "integer" }, "x-kubernetes-list-type": "set" },
      whole: { type: "array", items: named },
      free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    },
  }),
);

const plain: JsonObject = {
  text: "a",
  amount: "50%",
  labels: { a: "b", none: null },
  keyed: [
    { name: "a", port: 1 },
    { name: "a", port: 2 },
  ],
  set: [1, 1],
  whole: [{ name: null }, null],
  free: { any: [{ thing: true }] },
};

test("an object that has what its schema states is of its type at first sight", () => {
  assert.equal(isPlainlyOfType(type, plain), true);
});

for (const [what, value, message] of [
  ["a member that is not stated", { other: 1 }, ".other: field not declared in schema"],
  ["a member of another sort", { set: 1 }, ".set: expected list, got &{1}"],
  [
    "a scalar of another sort",
    { labels: { a: true } },
    ".labels.a: expected string, got &value.valueUnstructured{Value:true}",
  ],
  [
    "a mistake inside of a list that is one value",
    { whole: [{ port: "x" }] },
    ".whole[0].port: expected numeric (int or float), got string",
  ],
  [
    "a mistake in an item with a key",
    { keyed: [{ name: "a", port: "x" }] },
    '.keyed[name="a"].port: expected numeric (int or float), got string',
  ],
  [
    "an item without its key",
    { keyed: [{ port: 1 }] },
    '.keyed: element 0: associative list with keys has an element that omits key field "name" (and doesn\'t have default value)',
  ],
] satisfies [string, JsonObject, string][]) {
  test(`${what} is told of with its place`, () => {
    assert.equal(isPlainlyOfType(type, value), false);
    assert.throws(() => checkValue(type, value, "allowed"), { message });
  });
}

test("nothing is wrong with what is of its type at first sight", () => {
  const scalar = fc.constantFrom<JsonValue>("a", 1, true, null);
  const item = fc.dictionary(fc.constantFrom("name", "port", "other"), scalar, { maxKeys: 2 });
  const list = fc.array(fc.oneof(scalar, item), { maxLength: 2 });
  const value = fc.dictionary(fc.constantFrom(...Object.keys(plain)), fc.oneof(scalar, item, list), { maxKeys: 2 });
  let plainOnes = 0;
  fc.assert(
    fc.property(value, (object) => {
      const isPlain = isPlainlyOfType(type, object as JsonObject);
      plainOnes += isPlain ? 1 : 0;
      try {
        checkValue(type, object as JsonObject, "allowed");
      } catch (error) {
        assert.ok(error instanceof FieldsError);
        assert.equal(isPlain, false);
      }
    }),
    { numRuns: 3_000 },
  );
  assert.ok(plainOnes > 300, `${plainOnes}`);
});
