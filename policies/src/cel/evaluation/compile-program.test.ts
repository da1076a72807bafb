import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Declarations } from "../checker/declarations.js";
import { compileExpression } from "../compile-expression.js";
import type { Library } from "../libraries/library.js";
import { standardLibraries } from "../libraries/standard/index.js";
import {
  type CelType,
  doubleType,
  dynType,
  listType,
  type ObjectType,
  stringType,
  timestampType,
} from "../types/cel-type.js";
import { toTimestamp } from "../values/conversion.js";
import { CostLimitExceeded, EvaluationError } from "../values/evaluation-error.js";
import { doubleValue } from "../values/numbers.js";
import { PendingAnswer } from "../values/pending-answer.js";
import { CelList, CelObject, type CelValue } from "../values/value.js";
import { compileQuestion, evaluate } from "./test-environment.test.support.js";

describe("A program", () => {
  it("ends when the cost exceeds the limit, also where an error would be ignored", () => {
    const vars = { list: [1, 2, 3] };
    const program = compileQuestion({ expr: "list.all(e, e > 0) || true", vars });
    const full = program.evaluate(vars, 1000).cost;
    assert.equal(program.evaluate(vars, full).value, true);
    assert.ok(program.evaluate(vars, full - 1).error instanceof CostLimitExceeded);
    assert.equal(program.evaluate(vars, full - 1).error?.message, "operation cancelled: actual cost limit exceeded");
  });

  it("can be evaluated again after it has ended early", () => {
    const vars = { list: [1, 2, 3] };
    const program = compileQuestion({ expr: "list.map(e, e + 1)", vars });
    program.evaluate(vars, 5);
    assert.deepEqual(program.evaluate(vars, 1000).value, [2, 3, 4]);
  });

  it("waits for answers from outside, also where an error would be ignored", async () => {
    const answers = new Map<string, boolean>();
    const ask: Library = {
      name: "ask",
      introduced: [1, 0],
      functions: [{ name: "ask", overloads: [{ signature: "(string) -> bool", call: answerTo }] }],
    };
    function answerTo(question: CelValue | undefined): CelValue {
      const answer = answers.get(String(question));
      if (answer === undefined) {
        throw new PendingAnswer(Promise.resolve().then(() => answers.set(String(question), true)));
      }
      return answer;
    }
    const program = compileQuestion({ expr: "ask('a') || true" }, ask);
    const first = program.evaluate({}, 1000);
    assert.ok(first.pending);
    await first.pending;
    assert.equal(program.evaluate({}, 1000).value, true);
  });

  it("may be evaluated by what it reads", () => {
    class Lazy extends CelObject {
      override readonly typeName = "Lazy";
      readonly #depth: number;
      constructor(depth: number) {
        super();
        this.#depth = depth;
      }
      override field(name: string): CelValue | undefined {
        if (name !== "sum") {
          return undefined;
        }
        return this.#depth === 0 ? [0] : program.evaluate({ lazy: new Lazy(this.#depth - 1) }, 1000).value;
      }
    }
    const program = compileQuestion({ expr: "lazy.sum.map(e, e + 1)", vars: { lazy: null } });
    assert.deepEqual(program.evaluate({ lazy: new Lazy(3) }, 1000).value, [4]);
  });

  it("reports a variable without a value", () => {
    const program = compileQuestion({ expr: "a.b == 1 || c", vars: { a: null, c: null } });
    assert.equal(program.evaluate({ c: true }, 1000).value, true);
    assert.equal(program.evaluate({ c: false }, 1000).error?.message, "no such attribute(s): a");
  });

  it("reads own members only", () => {
    for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
      const own = JSON.parse(`{"${name}": 1}`) as CelValue;
      assert.equal(evaluate(`has(o['${name}'].x) || '${name}' in o`, { o: {} }).value, undefined);
      assert.equal(evaluate(`'${name}' in o`, { o: {} }).value, false);
      assert.equal(evaluate(`o['${name}']`, { o: {} }).error?.message, `no such key: ${name}`);
      assert.equal(evaluate(`o['${name}']`, { o: own }).value, 1);
    }
    assert.equal(compileQuestion({ expr: "constructor", vars: { constructor: 1 } }).evaluate({}, 9).value, undefined);
  });

  it("makes maps whose keys may be names that objects inherit", () => {
    assert.equal(evaluate("{'__proto__': 1}['__proto__'] + {'a': 2}.a").value, 3);
    assert.equal(evaluate("has({'a': 1}.constructor)").value, false);
  });

  it("does not take the members of values of the language for those of JSON", () => {
    assert.equal(evaluate("dyn(duration('1s')).nanoseconds").error?.message, "no such key: nanoseconds");
    assert.equal(evaluate("dyn(2.0).value").error?.message, "no such key: value");
    assert.equal(evaluate("has(dyn('text').length)").value, false);
  });
});

/** A list whose order does not count when it is compared. */
class SetList extends CelList {
  override readonly items: readonly CelValue[];
  constructor(items: readonly CelValue[]) {
    super();
    this.items = items;
  }
  override equals(other: readonly CelValue[]): boolean {
    return this.items.length === other.length && this.items.every((item) => other.includes(item));
  }
  override concat(other: readonly CelValue[]): CelValue {
    return new SetList([...new Set([...this.items, ...other])]);
  }
}

describe("A value of a declared type", () => {
  const readDouble = (value: CelValue) => (typeof value === "number" ? doubleValue(value) : value);
  const fields = new Map<string, { type: CelType; member: string; read?: (value: CelValue) => CelValue }>([
    ["weight", { type: doubleType, member: "weight", read: readDouble }],
    ["since", { type: timestampType, member: "since", read: (value) => toTimestamp(value) }],
    [
      "tags",
      {
        type: listType(stringType),
        member: "tags",
        read: (value) => (Array.isArray(value) ? new SetList(value) : value),
      },
    ],
    ["__namespace__", { type: stringType, member: "namespace" }],
    ["weights", { type: { kind: "list", elements: doubleType, readElement: readDouble }, member: "weights" }],
  ]);
  const type: ObjectType = { kind: "object", name: "Thing", field: (name) => fields.get(name) };
  const declarations = Declarations.of(standardLibraries).withVariables(
    new Map<string, CelType>([
      ["self", type],
      ["other", dynType],
    ]),
  );
  const self = { weight: 2, since: "2020-01-01T00:00:00Z", tags: ["a", "b"], namespace: "n", weights: [1, 2] };
  const outcomeOf = (source: string) => compileExpression(source, declarations).evaluate({ self, other: null }, 1000);

  for (const [what, source] of [
    ["reads a whole number as a double", "self.weight + 0.5 == 2.5 && type(self.weight) == double"],
    ["reads text as a timestamp", "self.since.getFullYear() == 2020"],
    ["reads a member by the name of its field", "self.__namespace__ == 'n' && has(self.__namespace__)"],
    ["compares a list that is a set", "self.tags == ['b', 'a'] && self.tags != ['b', 'c']"],
    ["adds to a list that is a set", "(self.tags + ['a', 'c']).size() == 3"],
    ["reads elements of a list in a loop", "self.weights.all(w, type(w) == double)"],
    ["reads an element of a list by its index", "type(self.weights[0]) == double"],
    ["reads a list that becomes dynamic", "dyn(self.weights).all(w, type(w) == double)"],
    ["reads a list that becomes an element", "[self.weights][0].all(w, type(w) == double)"],
  ] as const) {
    it(what, () => {
      const { value, error } = outcomeOf(source);
      assert.equal(error, undefined);
      assert.equal(value, true);
    });
  }

  it("reports text that its reader refuses", () => {
    const { evaluate } = compileExpression("self.since.getFullYear()", declarations);
    const { error } = evaluate({ self: { since: "yesterday" } }, 1000);
    assert.ok(error instanceof EvaluationError);
    assert.match(error.message, /^type conversion error/);
  });
});
