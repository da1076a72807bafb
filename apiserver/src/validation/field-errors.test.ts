import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FieldPath } from "@gatehouse/envelopes/validation";
import { FieldErrors } from "./field-errors.js";

/** Returns a path that counts how often its text is written. */
function countedPath(name: string): { readonly path: FieldPath; readonly written: () => number } {
  let count = 0;
  const path = FieldPath.of(name);
  path.toString = () => {
    count++;
    return name;
  };
  return { path, written: () => count };
}

describe("The errors of one object", () => {
  it("are kept until there is one more than an answer lists; further paths are not written", () => {
    const errors = new FieldErrors();
    const { path, written } = countedPath("spec");
    for (let index = 0; index < 5000; index++) {
      errors.required(path);
    }
    assert.equal(errors.list.length, 1001);
    assert.equal(written(), 1001);
  });

  it("are kept until their paths are longer than an answer together", () => {
    const errors = new FieldErrors();
    const { path, written } = countedPath("n".repeat(500_000));
    for (let index = 0; index < 5000; index++) {
      errors.forbidden(path, "may not be set");
    }
    assert.equal(errors.list.length, 9);
    assert.equal(written(), 9);
    errors.add([{ type: "FieldValueRequired", field: "spec", message: "Required value" }]);
    assert.equal(errors.list.length, 9);
  });
});
