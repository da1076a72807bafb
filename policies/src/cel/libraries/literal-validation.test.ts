import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkExpression } from "../checker/check-expression.js";
import type { Declarations } from "../checker/declarations.js";
import { estimateCost } from "../cost/estimate-cost.js";
import { newExpressions, storedExpressions } from "../environment.js";
import { CompileError } from "../syntax/compile-error.js";
import { parseExpression } from "../syntax/parse-expression.js";
import { dynType, mapType, stringType } from "../types/cel-type.js";

const variables = new Map([
  ["m", mapType(stringType, stringType)],
  ["x", dynType],
]);

function problemsOf(source: string, declarations: Declarations): readonly string[] {
  try {
    checkExpression(parseExpression(source), declarations.withVariables(variables));
    return [];
  } catch (error) {
    assert.ok(error instanceof CompileError);
    return error.problems.map(({ message, offset }) => `${offset}: ${message}`);
  }
}

describe("literals that can never be evaluated", () => {
  const wrong: readonly [source: string, problem: string][] = [
    ["duration('x') == duration('1s')", "9: invalid duration argument"],
    ["duration(1)", "9: invalid duration argument"],
    ["timestamp('x')", "10: invalid timestamp argument"],
    ["timestamp(99999999999999)", "10: invalid timestamp argument"],
    ["x.matches('[')", "10: invalid matches argument"],
    ["matches('[', 'a')", "8: invalid matches argument"],
  ];

  for (const [source, problem] of wrong) {
    test(`are refused in stored expressions, and not yet in new ones: ${source}`, () => {
      assert.deepEqual(problemsOf(source, storedExpressions), [problem]);
      assert.deepEqual(problemsOf(source, newExpressions), []);
    });
  }

  test("are right if a call with them succeeds", () => {
    const source = "timestamp(5) < timestamp('2020-01-01T00:00:00Z') && duration('1h') != null && x.matches('^a+$')";
    assert.deepEqual(problemsOf(source, storedExpressions), []);
  });
});

test("Lists of several types are refused in all expressions", () => {
  for (const declarations of [newExpressions, storedExpressions]) {
    assert.deepEqual(problemsOf("[1, 'a', true]", declarations), ["4: expected type 'int' but found 'string'"]);
    assert.deepEqual(problemsOf("{1: 'a', 'b': 'c', 2: 3}", declarations), [
      "9: expected type 'int' but found 'string'",
      "22: expected type 'string' but found 'int'",
    ]);
  }
});

test("A test of presence costs one in new expressions, and nothing in stored ones, as in v1.29", () => {
  const costIn = (declarations: Declarations) => {
    const checked = checkExpression(parseExpression("has(m.a)"), declarations.withVariables(variables));
    return estimateCost(checked, () => undefined).max;
  };
  assert.equal(costIn(newExpressions), 2n);
  assert.equal(costIn(storedExpressions), 1n);
});
