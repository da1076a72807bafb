import assert from "node:assert/strict";
import { test } from "node:test";
import { FieldPath } from "./field-path.js";

test("a path reads as kubectl shows it: members with dots, items and keys in brackets", () => {
  const containers = FieldPath.of("spec").child("template").child("spec").child("containers");

  assert.equal(String(containers.index(0).child("name")), "spec.template.spec.containers[0].name");
  assert.equal(String(FieldPath.of("data").key("a.b")), "data[a.b]");
});
