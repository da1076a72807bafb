import assert from "node:assert/strict";
import { test } from "node:test";
import { DecodeError } from "@gatehouse/envelopes/errors";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { kindSchema } from "@gatehouse/envelopes/schema";
import { fromUnstructured } from "./from-unstructured.js";

const deployment = kindSchema("apps", "v1", "Deployment") ?? assert.fail();
const configMap = kindSchema("", "v1", "ConfigMap") ?? assert.fail();

const refused: readonly [name: string, object: JsonObject, message: string][] = [
  ["a text for a number", { spec: { replicas: "x" } }, "unrecognized type: int32"],
  ["a fraction for a whole number", { spec: { replicas: 1.5 } }, "cannot convert float64 to int32"],
  ["a text for a boolean", { spec: { paused: "yes" } }, "unrecognized type: bool"],
  ["a number for a boolean", { spec: { paused: 1 } }, "unrecognized type: bool"],
  ["a text for a struct", { spec: { strategy: "x" } }, "cannot restore struct from: string"],
  ["a list for a struct", { spec: [] }, "cannot restore struct from: slice"],
  [
    "a number for a named text",
    { spec: { strategy: { type: 5 } } },
    "cannot convert int64 to v1.DeploymentStrategyType",
  ],
  ["a boolean for a text", { spec: { strategy: { type: true } } }, "unrecognized type: string"],
  ["a number for a kind", { kind: 5 }, "cannot convert int64 to string"],
  ["a text for a map", { metadata: { labels: "x" } }, "cannot restore map from string"],
  ["a number in a map of texts", { metadata: { labels: { a: 5 } } }, "cannot convert int64 to string"],
  ["a fraction in a map of texts", { metadata: { labels: { a: 1.5 } } }, "unrecognized type: string"],
  ["a text for a list", { metadata: { finalizers: "x" } }, "cannot restore slice from string"],
  ["a number in a list of texts", { metadata: { finalizers: [1] } }, "cannot convert int64 to string"],
  [
    "an object for a list of structs",
    { spec: { template: { spec: { containers: {} } } } },
    "cannot restore slice from map",
  ],
  ["a number for a uid", { metadata: { uid: 5 } }, "cannot convert int64 to types.UID"],
];

for (const [name, object, message] of refused) {
  test(`${name} is refused in the words of v1.29's converter`, () => {
    assert.throws(
      () => fromUnstructured(deployment.schema, object),
      (error) => error instanceof DecodeError && error.message === message,
    );
  });
}

test("a number for bytes is refused in the words of v1.29's converter", () => {
  assert.throws(
    () => fromUnstructured(configMap.schema, { binaryData: { a: 5 } }),
    /^DecodeError: cannot restore slice from int64$/,
  );
});

test("a whole number that is too long is cut off, as v1.29 does", () => {
  assert.deepEqual(fromUnstructured(deployment.schema, { spec: { replicas: 3_000_000_000 } }), {
    spec: { replicas: -1_294_967_296 },
  });
});

test("null, unknown members and what reads itself are left as they are", () => {
  const object = { spec: { replicas: null, more: [1] }, metadata: { creationTimestamp: 5 } };
  assert.deepEqual(fromUnstructured(deployment.schema, object), object);
});
