import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compilePattern } from "./compile-pattern.js";

describe("A compiled pattern", () => {
  it("matches any part of a text", () => {
    const pattern = compilePattern("b(a|c){2}");
    assert.equal(pattern.matches("xbacx"), true);
    assert.equal(pattern.matches("xbxacx"), false);
  });

  it("is not matched against a text that is too long for its size", () => {
    const small = compilePattern("^[a-z]*$");
    assert.deepEqual([small.matches("a".repeat(300_000)), small.isTooLong("a".repeat(300_000))], [true, false]);
    assert.deepEqual([small.matches("a".repeat(300_001)), small.isTooLong("a".repeat(300_001))], [false, true]);
    const large = compilePattern("(.*a){1000}");
    assert.deepEqual([large.matches("a".repeat(500)), large.isTooLong("a".repeat(500))], [false, false]);
    assert.deepEqual([large.matches("a".repeat(1000)), large.isTooLong("a".repeat(1000))], [false, true]);
  });

  it("is invalid when it is too large to be compiled in a moment", () => {
    const pattern = compilePattern("(.*a){1000}".repeat(10));
    assert.match(pattern.problem ?? "", /^error parsing regexp: expression too large: /);
    assert.equal(pattern.matches("a"), false);
  });
});
