import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ValidationResult } from "./validation-result.js";

function resultWith(count: number, messageLength: number): ValidationResult {
  const result = new ValidationResult();
  for (let index = 0; index < count; index++) {
    const message = String(index).padEnd(messageLength, "x");
    result.add({ code: "invalid", path: "spec", value: "", message });
  }
  return result;
}

describe("The result of checking a value against its schema", () => {
  it("keeps one error more than an answer lists", () => {
    assert.equal(resultWith(5000, 10).errors.length, 1001);
    assert.equal(resultWith(1000, 10).isFull, false);
  });

  it("keeps no more errors once their messages are longer than an answer", () => {
    const result = resultWith(5000, 400_000);
    assert.equal(result.errors.length, 11);
    assert.equal(result.isFull, true);
  });

  it("is as bounded when the results of alternatives are merged into it", () => {
    const result = resultWith(8, 400_000);
    const other = new ValidationResult();
    for (let index = 8; index < 5000; index++) {
      other.add({ code: "invalid", path: "spec", value: "", message: String(index).padEnd(400_000, "x") });
    }
    result.merge(other);
    assert.equal(result.errors.length, 11);
  });
});
