import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compilePattern } from "./compile-pattern.js";
import { patternOf } from "./known-patterns.js";

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

  for (const [what, source, text, limit, found] of [
    ["non-empty parts", "[0-9]+", "123 abc 456", -1, ["123", "456"]],
    ["no more parts than the limit", "[0-9]+", "123 abc 456", 1, ["123"]],
    ["no part at a limit of zero", "[0-9]+", "123 abc 456", 0, []],
    ["empty parts, but none right after another part", "a*", "baaac", -1, ["", "aaa", ""]],
    ["one empty part for each code point", "x*", "a\u{1f600}b", -1, ["", "", "", ""]],
    ["the whole text once", "(?s).*", "a\nb", -1, ["a\nb"]],
    ["parts at the start of the text only", "^a", "aaa", -1, ["a"]],
    ["parts at word boundaries", "\\b[a-z]", "ab cd", -1, ["a", "c"]],
  ] as const) {
    it(`finds ${what}`, () => {
      assert.deepEqual(compilePattern(source).findAll(text, limit), found);
    });
  }

  it("gives a search up that reads the rest of the text for each match, after the same work each time", () => {
    const text = "a".repeat(20_000);
    for (const source of ["a.*b|a", "(a|b)+c|a"]) {
      const lengths = [100, 400, 1600, 6400, 20_000];
      const outcomes = () => lengths.map((length) => compilePattern(source).findAll(text.slice(0, length), -1)?.length);
      assert.deepEqual(outcomes(), [100, 400, undefined, undefined, undefined], source);
      assert.deepEqual(outcomes(), outcomes());
    }
  });

  it("finds all parts of long texts that are read once", () => {
    const words = "abc def ".repeat(7_500);
    assert.equal(compilePattern("[a-z]+").findAll(words, -1)?.length, 15_000);
    assert.equal(compilePattern("(?i)DEF|x").findAll(words, -1)?.length, 7_500);
  });

  it("is compiled once while its source is used again and again", () => {
    assert.equal(patternOf("^k[a-z]+$"), patternOf("^k[a-z]+$"));
  });
});
