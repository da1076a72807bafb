import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { type CompiledExpression, compileExpression } from "../compile-expression.js";
import { storedExpressions } from "../environment.js";
import { compileProgram } from "../evaluation/compile-program.js";
import type { EvaluationObserver } from "../evaluation/evaluation-observer.js";
import { ProgramError } from "../evaluation/program-error.js";
import { compileQuestion, type Question } from "../evaluation/test-environment.test.support.js";
import { dynType } from "../types/cel-type.js";
import { EvaluationError } from "../values/evaluation-error.js";
import { toJson } from "../values/json.js";
import type { CelValue } from "../values/value.js";
import { ExpressionCoverage } from "./expression-coverage.js";
import { type RecordedEvaluation, TraceRecorder } from "./trace-recorder.js";
import { type TraceNode, traceTree } from "./trace-tree.js";
import { valueText } from "./value-text.js";

const unbounded = 100_000_000;

type Values = Readonly<Record<string, CelValue>>;

function compile(source: string, names: readonly string[], observer?: EvaluationObserver): CompiledExpression {
  const declarations = storedExpressions.withVariables(new Map(names.map((name) => [name, dynType])));
  return compileExpression(source, declarations, observer && (() => observer));
}

/** Evaluates an expression for each of the variables in turn. */
function record(source: string, runs: readonly Values[]) {
  const recorded: RecordedEvaluation[] = [];
  const names = [...new Set(runs.flatMap((run) => Object.keys(run)))];
  const compiled = compile(source, names, new TraceRecorder((evaluation) => recorded.push(evaluation)));
  for (const run of runs) {
    compiled.evaluate(run, unbounded);
  }
  return { checked: compiled.checked, recorded };
}

/** Returns the lines of the tree of one evaluation. */
function tree(source: string, values: Values): readonly string[] {
  const { checked, recorded } = record(source, [values]);
  const lines: string[] = [];
  const show = (outcome: TraceNode["outcome"]): string =>
    outcome === undefined ? "?" : outcome instanceof EvaluationError ? `error: ${outcome.message}` : valueText(outcome);
  const write = (nodes: readonly TraceNode[], indent: string): void => {
    for (const { text, outcome, parts, elements } of nodes) {
      lines.push(`${indent}${text} = ${show(outcome)}`);
      write(parts, `${indent}  `);
      for (const element of elements) {
        lines.push(`${indent}  [${show(element.element)}]`);
        write(element.parts, `${indent}    `);
      }
    }
  };
  write(traceTree(checked.parsed, recorded[0]?.visits ?? []), "");
  return lines;
}

describe("An observed evaluation has the value, error and cost of an unobserved one", () => {
  const questions = readFileSync(new URL("../../../src/cel/recorded/evaluation.jsonl", import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => (JSON.parse(line) as { readonly question: Question }).question);

  /** Returns what an evaluation brings, and asserts that each node that was entered was left. */
  function outcomeOf(question: Question, isObserved: boolean): unknown {
    let depth = 0;
    const nothing = (): void => {};
    const observer = { begin: nothing, end: nothing, element: nothing, enter: () => depth++, leave: () => depth-- };
    try {
      const { checked } = compileQuestion(question);
      const evaluate = compileProgram(checked, isObserved ? observer : undefined);
      const { value, error, cost } = evaluate(question.vars ?? {}, unbounded);
      assert.equal(depth, 0);
      return { value: value === undefined ? undefined : toJson(value), error: error?.message, cost };
    } catch (error) {
      assert.ok(error instanceof ProgramError);
      return error.message;
    }
  }

  it("for all recorded expressions", () => {
    assert.ok(questions.length > 1000);
    for (const question of questions) {
      assert.deepEqual(outcomeOf(question, true), outcomeOf(question, false), question.expr);
    }
  });

  const selections = [
    "(a ? b : c).x == 1",
    "(a ? b.?x : c.?y).orValue(3)",
    "(a ? b.?x : c.?y).z",
    "m[a ? 'x' : 'y']",
    "m[k].x + m[a ? k : 'y'].x",
    "(a ? (a ? b : c) : b).x",
    "a ? has(b.x) : has(c.x)",
    "b.?x.optMap(v, v + 1).orValue(0)",
    "[b, c].exists_one(v, has(v.x) && v.x == 1)",
    "[b, c].filter(v, has(v.x)).map(v, v.x)",
  ];
  const m = { x: { x: 1 }, y: { x: 2 } };
  for (const expr of selections) {
    it(`for ${expr}`, () => {
      for (const a of [true, false, 1]) {
        const question = { expr, vars: { a, b: { x: 1 }, c: { y: { z: 2 } }, m, k: "x" } };
        const names = Object.keys(question.vars);
        const recorder = new TraceRecorder(() => {});
        const [plain, observed] = [compile(expr, names), compile(expr, names, recorder)].map(({ evaluate }) => {
          const { value, error, cost } = evaluate(question.vars, unbounded);
          return { value: value === undefined ? undefined : valueText(value), error: error?.message, cost };
        });
        assert.deepEqual(observed, plain);
      }
    });
  }
});

describe("The tree of an evaluation", () => {
  it("shows the value of each sub-expression below that of the whole, and paths of selections as one", () => {
    assert.deepEqual(
      tree("o.spec.replicas <= 5\n  && o.spec.name.startsWith('a')", { o: { spec: { replicas: 3, name: "b" } } }),
      [
        "o.spec.replicas <= 5 && o.spec.name.startsWith('a') = false",
        "  o.spec.replicas <= 5 = true",
        "    o.spec.replicas = 3",
        "  o.spec.name.startsWith('a') = false",
        '    o.spec.name = "b"',
      ],
    );
  });

  it("shows the operands of a chain beside each other, and those only that were evaluated", () => {
    assert.deepEqual(tree("a || b || c || d", { a: false, b: false, c: true, d: true }), [
      "a || b || c || d = true",
      "  a = false",
      "  b = false",
      "  c = true",
    ]);
  });

  it("shows the element that decides", () => {
    const o = {
      list: [
        { name: "a", ok: true },
        { name: "b", ok: false },
        { name: "c", ok: false },
      ],
    };
    assert.deepEqual(tree("o.list.all(c, c.ok)", { o }), [
      "o.list.all(c, c.ok) = false",
      '  o.list = [{"name":"a","ok":true},{"name":"b","ok":false},{"name":"c","ok":false}]',
      '  [{"name":"b","ok":false}]',
      "    c.ok = false",
    ]);
  });

  it("shows all elements where none decides alone", () => {
    assert.deepEqual(tree("[1, 2].exists(n, n > limit)", { limit: 2 }), [
      "[1, 2].exists(n, n > limit) = false",
      "  [1]",
      "    n > limit = false",
      "      n = 1",
      "      limit = 2",
      "  [2]",
      "    n > limit = false",
      "      n = 2",
      "      limit = 2",
    ]);
  });

  it("shows the branch that was taken, and errors", () => {
    assert.deepEqual(tree("(o.a ? o.b : o.c).d == 1", { o: { a: true, b: {}, c: { d: 1 } } }), [
      "(o.a ? o.b : o.c).d == 1 = error: no such key: d",
      "  (o.a ? o.b : o.c).d = error: no such key: d",
      "    o.a ? o.b : o.c = {}",
      "      o.a = true",
      "      o.b = {}",
    ]);
  });

  it("shows the target of a macro once that evaluates it twice", () => {
    assert.deepEqual(tree("o.?a.optMap(v, v + 1).orValue(0)", { o: { a: 1 } }), [
      "o.?a.optMap(v, v + 1).orValue(0) = 2",
      "  o.?a.optMap(v, v + 1) = optional.of(2)",
      "    o.?a = optional.of(1)",
      "    v + 1 = 2",
      "      v = 1",
    ]);
  });

  it("shows what was evaluated before the cost limit", () => {
    const recorded: RecordedEvaluation[] = [];
    const compiled = compile("a == 1 && b == 2", ["a", "b"], new TraceRecorder((each) => recorded.push(each)));
    compiled.evaluate({ a: 1, b: 2 }, 3);
    compiled.evaluate({ a: 1, b: 2 }, unbounded);
    const outcomes = recorded.map(({ visits }) =>
      traceTree(compiled.checked.parsed, visits).flatMap(({ outcome, parts }) => [
        outcome,
        ...parts.map((part) => part.outcome),
      ]),
    );
    assert.deepEqual(outcomes, [
      [undefined, true, undefined],
      [true, true, true],
    ]);
  });
});

describe("The coverage of an expression", () => {
  function uncovered(source: string, runs: readonly Values[]): readonly string[] {
    const { checked, recorded } = record(source, runs);
    const coverage = new ExpressionCoverage(checked);
    for (const { visits } of recorded) {
      coverage.add(visits);
    }
    return coverage.points.map(({ range, goals, reached }) => {
      const missing = goals.filter((goal) => !reached.has(goal));
      return `${source.slice(range.start, range.end)}: ${missing.join(", ") || "all"}`;
    });
  }

  it("tells of conditions that were never true or never false", () => {
    assert.deepEqual(uncovered("a && !b || c", [{ a: true, b: true, c: true }]), [
      "a && !b || c: false",
      "a && !b: true",
      "a: false",
      "b: false",
      "c: false",
    ]);
  });

  it("counts the terms of a chain and the whole, not the shorter chains", () => {
    assert.deepEqual(
      uncovered("a == 1 && b == 1 && c == 1", [
        { a: 1, b: 1, c: 1 },
        { a: 0, b: 1, c: 1 },
      ]),
      ["a == 1 && b == 1 && c == 1: all", "a == 1: all", "b == 1: false", "c == 1: false"],
    );
  });

  it("tells of branches and alternatives that were never evaluated", () => {
    assert.deepEqual(uncovered("a ? b.?x.orValue(c) : d", [{ a: true, b: { x: 1 }, c: 2, d: 3 }]), [
      "a ? b.?x.orValue(c) : d: all",
      "a: false",
      "b.?x.orValue(c): all",
      "c: value",
      "d: value",
    ]);
  });

  it("looks into the predicates of macros", () => {
    assert.deepEqual(uncovered("l.all(e, e > 1 && e < 5)", [{ l: [2, 3] }, { l: [] }]), [
      "l.all(e, e > 1 && e < 5): false",
      "e > 1 && e < 5: false",
      "e > 1: false",
      "e < 5: false",
    ]);
  });

  it("does not ask for what is known before evaluation", () => {
    assert.deepEqual(uncovered("a.?b.orValue([]).size() == 0 ? [1] : [b]", [{ a: {}, b: 1 }]), [
      "a.?b.orValue([]).size() == 0 ? [1] : [b]: all",
      "a.?b.orValue([]).size() == 0: false",
      "[b]: value",
    ]);
  });

  it("does not count an error as a value", () => {
    assert.deepEqual(uncovered("a.x == 1", [{ a: {} }]), ["a.x == 1: true, false"]);
  });
});
