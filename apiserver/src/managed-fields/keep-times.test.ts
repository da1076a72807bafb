import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeJson } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { kindSchema } from "@gatehouse/envelopes/schema";
import { isSameBySchema } from "../objects/is-same-by-schema.js";
import { keepTimesIfUnchanged } from "./keep-times.js";

function owned(time: string, manager: string, data: JsonObject): JsonObject {
  const entry = {
    manager,
    operation: "Update",
    apiVersion: "v1",
    time,
    fieldsType: "FieldsV1",
    fieldsV1: { "f:data": {} },
  };
  return { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "c", managedFields: [entry] }, data };
}

const schema = (kindSchema("", "v1", "ConfigMap") ?? assert.fail()).schema;
const form = { isSame: (a: JsonObject, b: JsonObject): boolean => isSameBySchema(schema, a, b, "exact") };
const [before, now] = ["2024-01-01T00:00:00Z", "2024-01-01T00:00:01Z"];

test("times alone are no change: those of before stay", () => {
  const object = owned(now, "one", { a: "1" });
  keepTimesIfUnchanged(object, owned(before, "one", { a: "1" }), form);
  assert.deepEqual(object, owned(before, "one", { a: "1" }));
});

test("whatever else has changed, the times are those of now", () => {
  for (const object of [owned(now, "one", { a: "2" }), owned(now, "two", { a: "1" })]) {
    const expected = structuredClone(object);
    keepTimesIfUnchanged(object, owned(before, "one", { a: "1" }), form);
    assert.deepEqual(object, expected);
  }
});

test("a map that was sent empty is a change where there was none", () => {
  const { object } = decodeJson(schema, { ...owned(now, "one", { a: "1" }), binaryData: {} });
  keepTimesIfUnchanged(object, owned(before, "one", { a: "1" }), form);
  assert.equal((object as { metadata: { managedFields: [{ time: string }] } }).metadata.managedFields[0].time, now);
});
