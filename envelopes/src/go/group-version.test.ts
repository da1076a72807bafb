import assert from "node:assert/strict";
import { test } from "node:test";
import { goGroupVersionKind, isGroupVersion } from "./group-version.js";

test("a kind is printed with a slash for its group, and without a version that cannot be parsed", () => {
  const printed = ["v1", "apps/v1", "", "/v1", "a/b/c"].map((apiVersion) => goGroupVersionKind(apiVersion, "Pod"));
  assert.deepEqual(printed, ["/v1, Kind=Pod", "apps/v1, Kind=Pod", "/, Kind=Pod", "/v1, Kind=Pod", "/, Kind=Pod"]);
  assert.deepEqual(["", "v1", "a/b", "a/b/c"].map(isGroupVersion), [true, true, true, false]);
});
