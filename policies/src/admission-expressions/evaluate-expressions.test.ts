import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compileExpression, dynType, storedExpressions } from "../cel/index.js";
import { evaluateExpressions } from "./evaluate-expressions.js";
import { MatchConditions } from "./match-conditions.js";

const declarations = storedExpressions.withoutRuleCosts().withVariables(new Map([["object", dynType]]));
const heavy = "!object.text.matches('[ab]*a[ab]{200}c')";
const light = "object.text.matches('^a')";
const variables = { object: { text: "a".repeat(14_000) } };

/** A write that counts how often the work on it gives way to other work. */
function countingWrite() {
  const write = {
    turns: 0,
    signal: new AbortController().signal,
    yield: (): Promise<void> => {
      write.turns++;
      return Promise.resolve();
    },
  };
  return write;
}

describe("Expressions of a list", () => {
  it("give way to other work after each that does much work, whatever it costs", async () => {
    for (const [source, turns] of [
      [heavy, 20],
      [light, 0],
    ] as const) {
      const expression = compileExpression(source, declarations);
      assert.ok(expression.evaluate(variables, 1_000_000).cost < 10_000);
      const write = countingWrite();
      const expressions = Array.from({ length: 20 }, () => ({ expression, source, problem: undefined }));
      const { results } = await evaluateExpressions(expressions, { variables, budget: 1_000_000, write });
      assert.deepEqual(results, Array(20).fill({ value: true }));
      assert.equal(write.turns, turns, source);
    }
  });

  it("decide at once only where they do little work, as match conditions", async () => {
    for (const [source, outcome] of [
      ["!object.text.matches('^([ab]?){900}c')", undefined],
      [light, "matches"],
    ] as const) {
      const conditions = new MatchConditions({
        conditions: [{ name: "c", expression: source }],
        hasParams: false,
        ignoresFailure: false,
      });
      const object = { text: "a".repeat(300) };
      assert.equal(await conditions.match({ object }, countingWrite()), "matches");
      assert.equal(conditions.matchAtOnce({ object }), outcome, source);
    }
  });
});
