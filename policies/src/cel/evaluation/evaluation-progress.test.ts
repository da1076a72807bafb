import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import type { CompiledExpression } from "../compile-expression.js";
import { PendingAnswer } from "../values/pending-answer.js";
import { CelObject, type CelValue } from "../values/value.js";
import { EvaluationProgress } from "./evaluation-progress.js";
import { ProgramError } from "./program-error.js";
import { compileQuestion, type Question } from "./test-environment.test.support.js";

const limit = 1_000_000;
const settled = Promise.resolve();
const numbers = Array.from({ length: 3000 }, (_item, index) => index);

/** Evaluates in slices until the end. Returns the outcome, and how often the evaluation gave way. */
function evaluateInSlices(
  expression: CompiledExpression,
  variables: Question["vars"] = {},
  slice?: { cost: number; work: number },
) {
  const progress = new EvaluationProgress(() => settled, slice);
  for (let turns = 0; ; turns++) {
    const evaluation = expression.evaluate(variables, limit, progress);
    if (evaluation.pending === undefined) {
      return { evaluation, turns };
    }
  }
}

function assertSameInSlices(question: Question, slice?: { cost: number; work: number }): number {
  const expression = compileQuestion(question);
  const { evaluation, turns } = evaluateInSlices(expression, question.vars, slice);
  assert.deepEqual(evaluation, expression.evaluate(question.vars ?? {}, limit), question.expr);
  return turns;
}

describe("An evaluation that gives way to other work", () => {
  it("has the value, error and cost of one that does not, for every recorded expression with a loop", () => {
    const lines = readFileSync(new URL("../../../src/cel/recorded/evaluation.jsonl", import.meta.url), "utf8");
    let turns = 0;
    for (const line of lines.trimEnd().split("\n")) {
      const { question } = JSON.parse(line) as { question: Question };
      try {
        turns += assertSameInSlices(question, { cost: 1, work: 1 });
      } catch (error) {
        assert.ok(error instanceof ProgramError, String(error));
      }
    }
    assert.ok(turns > 100, `gave way ${turns} times`);
  });

  it("goes on in nested loops, and with the results of loops before them", () => {
    const few = numbers.slice(0, 12);
    for (const expr of [
      "few.all(x, few.all(y, x + y >= 0) && few.exists(z, z == x))",
      "few.map(x, few.filter(y, y % 2 == x % 2).map(y, few.exists(z, z == y) ? y : -1)).size()",
      "few.all(x, x >= 0) && few.map(x, x * 2).exists(y, y == 22) && few.filter(x, few.all(y, y < x)).size() == 0",
      "few.map(x, few.all(y, y < 4 || 1 / (x - 6) == 0)).size()",
      "few.exists_one(x, few.exists_one(y, x * y == 11 * 11))",
      "few.filter(x, x / 0 == 1).size() + few.map(x, few[x + 1]).size()",
      "few.all(x, x < 4 || few.map(y, y + x).all(z, z < 18))",
    ]) {
      for (const cost of [1, 7, 100, 1000]) {
        const turns = assertSameInSlices({ expr, vars: { few } }, { cost, work: 1_000_000_000 });
        assert.ok(turns > 0 || cost === 1000, expr);
      }
    }
  });

  it("gives way after each slice of its cost or work, however deep its loops are", () => {
    const nested = "[0].all(a, [0].all(b, numbers.all(x, numbers.all(y, x + y >= 0))))";
    assert.ok(assertSameInSlices({ expr: nested, vars: { numbers } }) >= 9);
    const working = "numbers.all(x, size(text) > 0)";
    const { evaluation, turns } = evaluateInSlices(compileQuestion({ expr: working, vars: { numbers, text: "" } }), {
      numbers,
      text: "a".repeat(100_000),
    });
    assert.equal(evaluation.error?.message, "operation interrupted");
    assert.ok(turns >= 5);
  });

  it("takes turns with other evaluations of the same expression", () => {
    const expression = compileQuestion({
      expr: "list.filter(x, list.all(y, y >= 0 || x > 1)).size()",
      vars: { list: [] },
    });
    const evaluations = [10, 20, 30].map((size) => ({
      variables: { list: numbers.slice(0, size) as CelValue },
      progress: new EvaluationProgress(() => settled, { cost: 50, work: 1_000_000_000 }),
      size,
    }));
    const ended = new Set<number>();
    while (ended.size < evaluations.length) {
      for (const { variables, progress, size } of evaluations.filter((evaluation) => !ended.has(evaluation.size))) {
        const { value, pending } = expression.evaluate(variables, limit, progress);
        if (pending === undefined) {
          assert.equal(value, size);
          ended.add(size);
        }
      }
    }
  });

  it("goes on from an iteration that waits for an answer from outside", () => {
    let asked = 0;
    const answers = new Set<number>();
    class Answering extends CelObject {
      readonly typeName = "answering";
      readonly #index: number;
      constructor(index: number) {
        super();
        this.#index = index;
      }
      field(): CelValue {
        asked++;
        if (!answers.has(this.#index)) {
          answers.add(this.#index);
          throw new PendingAnswer(settled);
        }
        return true;
      }
    }
    const list = Array.from({ length: 20 }, (_item, index) => new Answering(index)) as unknown as CelValue;
    const { evaluation, turns } = evaluateInSlices(compileQuestion({ expr: "list.all(x, x.yes)", vars: { list } }), {
      list,
    });
    assert.equal(evaluation.value, true);
    assert.equal(turns, 20);
    assert.equal(asked, 40);
  });
});
