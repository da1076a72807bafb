import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compileExpression } from "../compile-expression.js";
import { newExpressions, storedExpressions } from "../environment.js";

describe("Functions of 1.29", () => {
  for (const expression of ["'%d'.format([1])", "strings.quote('a')", "sets.contains([1], [1])"]) {
    it(`may be used by stored expressions only: ${expression}`, () => {
      assert.throws(() => compileExpression(expression, newExpressions), { name: "CompileError" });
      assert.equal(compileExpression(expression, storedExpressions).evaluate({}, 1000).error, undefined);
    });
  }
});

describe("Functions up to 1.28", () => {
  for (const expression of [
    "['a', 'b'].join('-') == 'a-b'",
    "'abc'.find('b+') == 'b'",
    "[1, 2].sum() == 3",
    "isURL('https://example.com')",
    "quantity('1Ki').compareTo(quantity('1024')) == 0",
    "optional.of(1).hasValue()",
  ]) {
    it(`may be used by new and stored expressions: ${expression}`, () => {
      for (const declarations of [newExpressions, storedExpressions]) {
        assert.equal(compileExpression(expression, declarations).evaluate({}, 1000).value, true);
      }
    });
  }
});

describe("A search for patterns", () => {
  it("fails for a text that is too long, without an attempt", () => {
    const variables = { text: "a".repeat(400_000) };
    const declarations = storedExpressions.withVariables(new Map([["text", { kind: "string" }]]));
    const { error } = compileExpression("text.find('b')", declarations).evaluate(variables, 1e9);
    assert.equal(error?.message, "a text of 400000 characters is too long to be matched against 'b'");
  });
});
