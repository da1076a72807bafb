import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { kindSchema } from "@gatehouse/envelopes/schema";
import { generationOf, generationOfAll } from "./generation-strategy.js";

const schema = kindSchema("", "v1", "ConfigMap")?.schema ?? assert.fail();
const before: JsonObject = { metadata: { name: "a" }, data: {} };

test("the generation of a typed object counts its desired state", () => {
  const { isSameDesiredState } = generationOf("data");
  assert.ok(!isSameDesiredState(schema, { ...before, data: { a: "1" } }, before));
  assert.ok(isSameDesiredState(schema, { ...before, immutable: true }, before));
});

test("the generation of a custom object counts every change outside of metadata", () => {
  const { isSameDesiredState } = generationOfAll;
  assert.ok(isSameDesiredState(schema, { ...before, metadata: { name: "a", labels: { a: "b" } } }, before));
  assert.ok(!isSameDesiredState(schema, { ...before, immutable: true }, before));
});
