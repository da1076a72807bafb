import assert from "node:assert/strict";
import { test } from "node:test";
import { findAt, scaleSpecErrors } from "./scale-paths.js";

test("a path that leads into something that is no object is told up to where it ends", () => {
  const problem = (path: string, value: string): string =>
    `${path} accessor error: ${value} is of the type bool, expected map[string]interface{}`;
  assert.deepEqual(findAt({ spec: true }, ".spec.inner.a"), { problem: problem(".spec.inner", "true") });
  assert.deepEqual(findAt({ spec: { inner: true } }, ".spec.inner.a"), { problem: problem(".spec.inner.a", "true") });
  assert.deepEqual(findAt({ spec: { inner: null } }, ".spec.inner.a"), { value: undefined });
});

test("replicas that are none are told of at their whole path", () => {
  const paths = { specReplicas: ".spec.inner.a", statusReplicas: ".status.a", labelSelector: undefined };
  assert.deepEqual(
    scaleSpecErrors({ spec: true }, paths).map(({ field, message }) => [field, message]),
    [
      [
        ".spec.inner.a",
        "Invalid value: 0: .spec.inner accessor error: true is of the type bool, expected map[string]interface{}",
      ],
    ],
  );
});
