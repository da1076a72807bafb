import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { storedExpressions } from "../environment.js";
import { parseExpression } from "../syntax/parse-expression.js";
import { type CelType, intType, listType, type ObjectType, stringType } from "../types/cel-type.js";
import { qualifiedTypeText } from "../types/type-text.js";
import { checkExpression } from "./check-expression.js";
import { check, checkQuestion, compileErrorOf, readRecorded } from "./recorded-questions.test.support.js";

describe("the checker", () => {
  test("gives every recorded expression the type that v1.29 gives it", () => {
    const recorded = readRecorded("types");
    assert.ok(recorded.length >= 1000);
    for (const line of recorded) {
      assert.equal(qualifiedTypeText(checkQuestion(line).type), line.answer.type, line.question.expr);
    }
  });

  test("tells the mistakes of every recorded wrong expression in the words of v1.29", () => {
    const recorded = readRecorded("type-errors");
    assert.ok(recorded.length >= 500);
    for (const line of recorded) {
      assert.equal(
        compileErrorOf(() => checkQuestion(line)),
        line.answer.compileError,
        line.question.expr,
      );
    }
  });

  test("throws nothing but CompileError, whatever is written", () => {
    const names = fc.constantFrom("i", "s", "l", "x", "unknown", "[]", "{}", "1", "'a'", "null", "optional.none()");
    const { expression } = fc.letrec<{ expression: string }>((tie) => ({
      expression: fc.oneof(
        { maxDepth: 6, withCrossShrink: true },
        names,
        fc
          .tuple(tie("expression"), fc.constantFrom("+", "==", "in", "&&", "<"), tie("expression"))
          .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
        fc.tuple(tie("expression"), tie("expression")).map(([first, second]) => `[${first}, ${second}]`),
        fc.tuple(tie("expression"), tie("expression")).map(([key, value]) => `{${key}: ${value}}`),
        fc.tuple(tie("expression"), tie("expression")).map(([range, body]) => `${range}.map(x, ${body})`),
        fc.tuple(tie("expression"), tie("expression")).map(([range, body]) => `${range}.all(x, ${body})`),
        fc.tuple(tie("expression"), tie("expression")).map(([target, index]) => `${target}[${index}]`),
        fc.tuple(tie("expression"), tie("expression")).map(([target, body]) => `${target}.optMap(x, ${body})`),
        fc.tuple(tie("expression"), tie("expression")).map(([left, right]) => `(true ? ${left} : ${right})`),
        tie("expression").map((argument) => `type(${argument})`),
        tie("expression").map((argument) => `optional.of(${argument}).orValue([])`),
        tie("expression").map((target) => `${target}.field`),
      ),
    }));
    fc.assert(
      fc.property(expression, (source) => {
        compileErrorOf(() => check(source, { i: "int", s: "string", l: "list(string)" }));
      }),
      { numRuns: 2000 },
    );
  });

  const tooComplex = /^ERROR: <input>:\d+:\d+: expression is too complex to be type-checked/;

  test("refuses types that double with every call of a macro", () => {
    assert.match(compileErrorOf(() => check(`[1]${".map(a, {a: a})".repeat(40)}`)) ?? "", tooComplex);
    assert.match(compileErrorOf(() => check(`[[]]${".map(a, [{a: a}])".repeat(40)}`)) ?? "", tooComplex);
  });

  test("refuses chains of macros that would be looked at twice as often for each of them", () => {
    assert.match(
      compileErrorOf(() => check(`x${".optMap(a, a)".repeat(60)}`, { x: "optional(int)" })) ?? "",
      tooComplex,
    );
  });

  test("checks long and deep expressions", () => {
    assert.equal(check(Array(200).fill("1").join(" + ")).type, intType);
    assert.equal(check(`${"[".repeat(100)}${"]".repeat(100)}`).type.kind, "list");
    assert.equal(check(`[${Array(5000).fill("x < 1").join(", ")}]`, { x: "dyn" }).type.kind, "list");
  });

  test("refuses a parameter that would be part of its own type, which ends v1.29's process", () => {
    const message = compileErrorOf(() => check("[].all(x, x == type(x))"));
    assert.match(message ?? "", /: found no matching overload for '_==_' applied to '\(dyn, type\(dyn\)\)'\n/);
  });

  test("refuses a macro whose target, which it uses twice, makes a list of unknown elements", () => {
    const message = compileErrorOf(() => check("optional.of([]).optMap(v, v)"));
    assert.match(message ?? "", /^ERROR: <input>:1:13: incompatible type already exists for expression: /);
  });
});

describe("a checked expression", () => {
  test("knows the overload of a call, and all that may be if its arguments are dynamic", () => {
    const signatures = (source: string) => {
      const checked = check(source, { x: "dyn" });
      return checked.overloadsOf(checked.parsed.root).map(({ overload }) => overload.signature);
    };
    assert.deepEqual(signatures("1 + 2"), ["(int, int) -> int"]);
    assert.deepEqual(signatures("x % x"), ["(int, int) -> int", "(uint, uint) -> uint"]);
    assert.deepEqual(signatures("x.getHours()"), ["timestamp.() -> int", "duration.() -> int"]);
    assert.deepEqual(signatures("x"), []);
  });

  test("knows which nodes are references", () => {
    const reference = (source: string) => {
      const checked = check(source, { x: "dyn", "a.b": "int" });
      return checked.referenceOf(checked.parsed.root);
    };
    assert.equal(reference("x"), "x");
    assert.equal(reference(".x"), "x");
    assert.equal(reference("a.b"), "a.b");
    assert.equal(reference("google.protobuf.Timestamp"), "google.protobuf.Timestamp");
    assert.equal(reference("optional.of(1)"), "optional.of");
    assert.equal(reference("x.y"), undefined);
    assert.equal(reference("x.size()"), undefined);
  });
});

describe("object types", () => {
  const owner: ObjectType = {
    kind: "object",
    name: "test.Owner",
    field: (name) => (name === "names" ? { type: listType(stringType), member: "names" } : undefined),
  };
  const named = storedExpressions
    .withTypes(new Map<string, CelType>([[owner.name, owner]]))
    .withVariables(new Map([["owner", owner]]));
  const typeOf = (source: string) => qualifiedTypeText(checkExpression(parseExpression(source), named).type);
  const mistakesOf = (source: string) =>
    compileErrorOf(() => typeOf(source))
      ?.split("\n")
      .filter((line) => line.startsWith("ERROR"));

  test("have the fields that they say", () => {
    assert.equal(typeOf("owner.names"), "list(string)");
    assert.equal(typeOf("owner.?names"), "optional(list(string))");
    assert.deepEqual(mistakesOf("owner.name"), ["ERROR: <input>:1:6: undefined field 'name'"]);
    assert.deepEqual(mistakesOf("has(owner.name)"), ["ERROR: <input>:1:4: undefined field 'name'"]);
  });

  test("are made by their names, with fields of the right types", () => {
    assert.equal(typeOf("test.Owner{names: ['a']}"), "test.Owner");
    assert.equal(typeOf("test.Owner{names: []} == owner"), "bool");
    assert.deepEqual(mistakesOf("test.Owner{names: 1, name: 2}"), [
      "ERROR: <input>:1:17: expected type of field 'names' is 'list(string)' but provided type is 'int'",
      "ERROR: <input>:1:26: undefined field 'name'",
    ]);
  });

  test("may be null", () => {
    assert.equal(typeOf("owner == null"), "bool");
  });
});
