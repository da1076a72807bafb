import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { testAttributes } from "./testing/test-write.js";

test("a plugin changes the object in place, and that is noticed", () => {
  const object: JsonObject = { data: { a: "1" } };
  const attributes = testAttributes({ object });
  assert.equal(attributes.isChanged, false);
  attributes.mutate((changing) => {
    changing["data"] = { a: "2" };
  });
  assert.deepEqual([attributes.isChanged, object], [true, { data: { a: "2" } }]);
});

test("an object that takes the place of the one to be stored is what is stored", () => {
  const object: JsonObject = { data: { a: "1" }, immutable: true };
  testAttributes({ object }).mutate(() => ({ data: { b: "2" } }));
  assert.deepEqual(object, { data: { b: "2" } });
});

test("what has no object cannot be changed", () => {
  assert.throws(() => testAttributes({ operation: "DELETE" }).mutate(() => {}), /a DELETE has no object to change/);
});

test("of two annotations of one key the first stays; warnings reach the client", () => {
  const warnings: string[] = [];
  const attributes = testAttributes({ object: {}, warnings });
  attributes.annotate("a.example.com/k", "1");
  attributes.annotate("a.example.com/k", "2");
  attributes.warn("careful");
  assert.deepEqual([...attributes.annotations], [["a.example.com/k", "1"]]);
  assert.deepEqual(warnings, ["careful"]);
});

test("an annotation has a qualified name with a prefix, or is left out", () => {
  const attributes = testAttributes({ object: {} });
  const keys = ["k", "", "é", "a b", "a/b", "__proto__x", "_a", "A_b", "x".repeat(63), "x".repeat(64)];
  for (const key of keys) {
    attributes.annotate(`hook.example.com/${key}`, "1");
  }
  attributes.annotate("unprefixed", "1");
  assert.deepEqual(
    [...attributes.annotations.keys()],
    ["k", "A_b", "x".repeat(63)].map((key) => `hook.example.com/${key}`),
  );
});
