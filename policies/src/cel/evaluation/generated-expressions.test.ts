import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { CompileError } from "../syntax/compile-error.js";
import { toJson } from "../values/json.js";
import { ProgramError } from "./program-error.js";
import { compileQuestion } from "./test-environment.test.support.js";

/** `npm run soak` takes many more. */
const count = Number(process.env["FUZZ_EXPRESSIONS"] ?? 3000);
const seed = Number(process.env["FUZZ_SEED"] ?? 129);

const vars = {
  o: { a: { b: 1, c: "x" }, list: [1, 2.5, "é😀", null, true], n: 9007199254740993n, constructor: 3 },
  l: [3, 1, 2],
  s: "text",
};

const atoms = fc.constantFrom(
  ..."1|-1|0|2u|1.5|0.0|'a'|'é😀'|b'\\xff'|true|false|null|[]|{}|o|l|s|o.a|o.a.b|o.list|o.n|o.q|o.list[3]|int".split(
    "|",
  ),
  "9223372036854775807",
  "timestamp('2020-01-01T00:00:00Z')",
  "duration('1h')",
  "dyn(1)",
  "v",
);

const expressions = fc.letrec<{ expression: string }>((tie) => {
  const part = tie("expression");
  const form = (template: string, ...parts: fc.Arbitrary<string>[]) =>
    fc.tuple(...parts).map((texts) => template.replace(/\$(\d)/g, (_match, index) => texts[Number(index)] ?? ""));
  const binary = fc.constantFrom(..."+ - * / % == != < >= && || in".split(" "));
  const unary = fc.constantFrom(..."int uint double string bytes bool timestamp duration type dyn size".split(" "));
  const macro = fc.constantFrom(..."all exists exists_one map filter".split(" "));
  const method = fc.constantFrom(..."startsWith contains endsWith matches".split(" "));
  const member = fc.constantFrom(..."a b c q list constructor".split(" "));
  return {
    expression: fc.oneof(
      { maxDepth: 4, depthSize: "medium" },
      atoms,
      form("($0 $1 $2)", part, binary, part),
      form("$0($1)", unary, part),
      form("$0.$1(v, $2)", part, macro, part),
      form("$0.$1($2)", part, method, part),
      form("dyn($0).$1", part, member),
      form("dyn($0).?$1", part, member),
      form("has(dyn($0).$1)", part, member),
      form("dyn($0)[$1]", part, part),
      form("dyn($0)[?$1]", part, part),
      form("($0 ? dyn($1) : dyn($2))", part, part, part),
      form("[dyn($0), dyn($1)]", part, part),
      form("{dyn($0): dyn($1)}", part, part),
      form("dyn($0).getHours($1)", part, fc.constantFrom("", "'UTC'", "s")),
      form("!dyn($0)", part),
      form("-dyn($0)", part),
    ),
  };
}).expression;

describe("A well-typed expression", () => {
  it("evaluates to a value or an error within its limit of cost, and always to the same", () => {
    let evaluated = 0;
    fc.assert(
      fc.property(expressions, fc.constantFrom(0, 10, 100_000), (source, limit) => {
        let compiled: ReturnType<typeof compileQuestion>;
        try {
          compiled = compileQuestion({ expr: source, vars: { ...vars, v: 1 } });
        } catch (thrown) {
          assert.ok(thrown instanceof CompileError || thrown instanceof ProgramError, String(thrown));
          return;
        }
        const outcome = compiled.evaluate({ ...vars, v: 1 }, limit);
        evaluated++;
        if (outcome.error === undefined) {
          assert.ok(outcome.cost <= limit);
          assert.notEqual(outcome.value, undefined);
          toJson(outcome.value ?? null);
        }
        assert.deepEqual(compiled.evaluate({ ...vars, v: 1 }, limit), outcome);
      }),
      { numRuns: count, seed },
    );
    assert.ok(evaluated > count / 10, `only ${evaluated} expressions were well-typed`);
  });
});
