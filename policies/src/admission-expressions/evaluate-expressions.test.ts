import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type CelValue, compileExpression, dynType, storedExpressions } from "../cel/index.js";
import { ComposedVariables, VariableComposer } from "./composed-variables.js";
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

  it("give way to other work within one that loops for long, and within the variables that it uses", async () => {
    const source = "object.list.all(x, object.list.all(y, x + y >= 0))";
    const object = { list: Array.from({ length: 300 }, (_item, index) => index) };
    const direct = compileExpression(source, declarations).evaluate({ object }, 1_000_000);
    const composer = new VariableComposer();
    const variable = composer.add("sum", source, declarations);
    const others: Record<string, CelValue> = { object };
    const composed = new ComposedVariables(new Map([["sum", variable]]), others);
    const cases = [
      { variables: { object }, expression: compileExpression(source, declarations), cost: direct.cost },
      {
        variables: { object, variables: composed },
        expression: compileExpression("variables.sum", composer.declare(declarations)),
        cost: direct.cost + 2,
      },
    ];
    for (const { variables, expression, cost } of cases) {
      const write = countingWrite();
      const outcome = await evaluateExpressions([{ expression, source, problem: undefined }], {
        variables,
        budget: 1_000_000,
        write,
        takeVariablesCost: () => composed.takeCost(),
      });
      assert.deepEqual(outcome, { results: [{ value: true }], remainingBudget: 1_000_000 - cost });
    }
    const write = countingWrite();
    const expression = compileExpression(source, declarations);
    await evaluateExpressions([{ expression, source, problem: undefined }], {
      variables: { object },
      budget: 1e6,
      write,
    });
    assert.ok(write.turns >= 4, `gave way ${write.turns} times`);
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
