import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { check, checkQuestion, type Recorded, readRecorded } from "../checker/recorded-questions.test.support.js";
import { estimateCost, type SizeEstimator } from "./estimate-cost.js";
import type { Range } from "./range.js";

const unknown: SizeEstimator = () => undefined;

/** Returns an estimator of the sizes that v1.29 was given with a question. */
function sizesOf({ question: { sizes = {} } }: Recorded): SizeEstimator {
  return (path) => {
    const [min, max] = sizes[path.join(".")] ?? [];
    return min === undefined || max === undefined ? undefined : { min: BigInt(min), max: BigInt(max) };
  };
}

function assertEstimates(recorded: readonly Recorded[]): void {
  for (const line of recorded) {
    const { min, max } = estimateCost(checkQuestion(line), sizesOf(line));
    const { Min, Max } = line.answer.estimate ?? {};
    assert.deepEqual([String(min), String(max)], [Min, Max], line.question.expr);
  }
}

describe("the estimate of the cost", () => {
  test("of every recorded expression is v1.29's, where no size is known", () => {
    assertEstimates(readRecorded("types"));
  });

  test("of every recorded expression is v1.29's, where sizes are known by paths", () => {
    assertEstimates(readRecorded("estimates"));
  });

  test("asks for the sizes of fields, elements, keys and values below a variable", () => {
    const asked = (source: string) => {
      const paths = new Set<string>();
      const record = (path: readonly string[]): undefined => void paths.add(path.join("."));
      estimateCost(check(source, { self: "map(string, map(string, list(string)))" }), record);
      return [...paths];
    };
    assert.deepEqual(asked("self.a.b == ['x']"), ["self.a.b"]);
    assert.deepEqual(asked("self.a.b.all(e, e == 'x')"), ["self.a.b.@items", "self.a.b"]);
    assert.deepEqual(asked("self.all(k, k == 'x')"), ["self.@keys", "self"]);
    assert.deepEqual(asked("self['a']['b'][0] == 'x'"), ["self.@values.@values.@items"]);
  });

  test("does not ask for the sizes of results that a macro collects", () => {
    const paths: string[] = [];
    estimateCost(check("l.map(e, [e])", { l: "list(string)" }), (path) => void paths.push(path.join(".")));
    assert.deepEqual(
      paths.filter((path) => path.startsWith("__result__")),
      [],
    );
  });

  test("counts tests of presence as the settings say", () => {
    const checked = check("has(m.a)", { m: "map(string, int)" });
    const costWith = (presenceTestCost: 0 | 1): Range =>
      estimateCost({ ...checked, settings: { ...checked.settings, presenceTestCost } }, unknown);
    assert.deepEqual(costWith(0), { min: 1n, max: 1n });
    assert.deepEqual(costWith(1), { min: 2n, max: 2n });
  });
});
