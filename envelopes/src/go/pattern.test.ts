import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { goPatternProblem } from "./pattern.js";

const tooLarge = (pattern: string): string => `error parsing regexp: expression too large: \`${pattern}\``;

describe("A pattern of a definition", () => {
  for (const [what, pattern] of [
    ["5,000 characters", "a".repeat(5000)],
    ["1,000 repetitions of four characters and a group", "(abcd){1000}"],
    ["250 repetitions of six characters in two groups", "(([a-z0-9]{4}.)x){250}"],
    ["classes", "[a-z]\\pL\\d".repeat(1600)],
    ["an empty pattern", ""],
  ] as const) {
    it(`may be as large as ${what}`, () => {
      assert.equal(goPatternProblem(pattern), undefined);
    });
  }

  for (const [what, pattern] of [
    ["5,001 characters", "a".repeat(5001)],
    ["400 KB of classes", "[a-z]".repeat(80_000)],
    ["ten times a thousand repetitions", "(.*a){1000}".repeat(10)],
    ["repetitions of repetitions", "((abcdefg{10}){10}x{500}){2}((abcdefg{10}){10}x{500}){2}(abc){1000}"],
  ] as const) {
    it(`is refused when it is as large as ${what}`, () => {
      assert.equal(goPatternProblem(pattern), tooLarge(pattern));
    });
  }

  it("is read once, however often the name of a class begins in it and does not end", () => {
    const pattern = `[${"[:".repeat(200_000)}`;
    const { indexOf } = String.prototype;
    let searches = 0;
    try {
      String.prototype.indexOf = function counted(this: string, ...args: Parameters<typeof indexOf>) {
        searches += args[0] === ":]" ? 1 : 0;
        return indexOf.apply(this, args);
      };
      assert.equal(goPatternProblem(pattern), `error parsing regexp: missing closing ]: \`${pattern}\``);
    } finally {
      String.prototype.indexOf = indexOf;
    }
    assert.equal(searches, 1);
  });
});
