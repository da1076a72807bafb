import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { compileRootSchema } from "@gatehouse/policies/structural-schemas";
import { type MergeType, mergeTypeOf } from "./merge-type.js";

/** Returns what the type of a member `f` with a schema says. */
function described(schema: JsonObject): string {
  const root = mergeTypeOf(compileRootSchema({ type: "object", properties: { f: schema } }));
  return describe(root.map?.member("f"));
}

function describe(type: MergeType | undefined): string {
  const { scalar, list, map } = type ?? {};
  const keys = list?.keys.map(({ name }) => name).join();
  const ofList = list && (list.atomic ? "atomic list" : `list by ${keys || "value"} of ${describe(list.items)}`);
  return [scalar, ofList, map && (map.atomic ? "atomic map" : "map")].filter(Boolean).join(" or ");
}

const text = { type: "string" };

for (const [what, schema, expected] of [
  ["text with items", { type: "string", items: text }, "string"],
  ["text with members", { type: "string", properties: { a: text } }, "string"],
  ["text with additional members", { type: "string", additionalProperties: text }, "string"],
  ["text of a format with items", { type: "string", format: "date", items: text }, "untyped"],
  ["an integer with items", { type: "integer", items: text }, "numeric"],
  ["a number with additional members", { type: "number", additionalProperties: text }, "numeric"],
  ["a boolean with members", { type: "boolean", properties: { a: text } }, "boolean"],
  ["an array with members", { type: "array", items: text, properties: { a: text } }, "atomic list"],
  [
    "a set with members",
    { type: "array", items: text, properties: { a: text }, "x-kubernetes-list-type": "set" },
    "list by value of string",
  ],
  [
    "an array by keys with additional members",
    {
      ...{ type: "array", items: { type: "object", properties: { b: text, a: text } }, additionalProperties: text },
      ...{ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["b", "a"] },
    },
    "list by a,b of untyped or atomic list or map",
  ],
  ["an object with items", { type: "object", items: text }, "map"],
  [
    "items without a type",
    { "x-kubernetes-preserve-unknown-fields": true, items: text },
    "untyped or atomic list or map",
  ],
  ["integers or text with items", { "x-kubernetes-int-or-string": true, items: text }, "untyped or atomic list or map"],
] as const) {
  test(`fields of ${what} are owned as those of the stated type`, () => {
    assert.equal(described(schema as unknown as JsonObject), expected);
  });
}
