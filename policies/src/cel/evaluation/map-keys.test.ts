import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import type { JsonValue } from "@gatehouse/envelopes/json";
import { compileExpression } from "../compile-expression.js";
import { storedExpressions } from "../environment.js";
import { CompileError } from "../syntax/compile-error.js";
import { dynType } from "../types/cel-type.js";
import { toJson } from "../values/json.js";
import { CelMap, type CelValue } from "../values/value.js";
import { ProgramError } from "./program-error.js";

interface Recorded {
  readonly question: { readonly expr: string; readonly vars?: Readonly<Record<string, CelValue>> };
  readonly answer: {
    readonly value?: JsonValue;
    readonly cost?: number;
    readonly error?: string;
    readonly compileError?: string;
  };
}

const recorded = readFileSync(new URL("../../../src/cel/recorded/map-keys.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Recorded);

/** A map, which v1.29 was not asked to show in JSON. */
const someMap = "a map";

describe("A map literal takes the keys that v1.29 takes, and finds them as it does", () => {
  assert.ok(recorded.length > 100);
  for (const { question, answer } of recorded) {
    it(question.expr, () => {
      assert.deepEqual(answerTo(question), expected(answer));
    });
  }

  it("except for bytes, for which v1.29 breaks off the request: they are refused", () => {
    for (const expr of ["{b'a': 1}", "{dyn(b'a'): 1}", "{b'a': 1}.size()"]) {
      assert.equal(answerTo({ expr }).error, "unsupported key type");
    }
  });
});

function answerTo({ expr, vars = {} }: Recorded["question"]): Recorded["answer"] {
  try {
    const variables = new Map(Object.keys(vars).map((name) => [name, dynType]));
    const { value, error, cost } = compileExpression(expr, storedExpressions.withVariables(variables)).evaluate(
      vars,
      1_000_000,
    );
    return error === undefined
      ? { value: value instanceof CelMap ? someMap : toJson(value ?? null), cost }
      : { error: error.message, cost };
  } catch (thrown) {
    assert.ok(thrown instanceof ProgramError || thrown instanceof CompileError, String(thrown));
    return { compileError: thrown.message };
  }
}

function expected({ value = null, cost = 0, error, compileError }: Recorded["answer"]): Recorded["answer"] {
  if (compileError !== undefined) {
    return { compileError };
  }
  const isMap = typeof value === "string" && value.startsWith("map[");
  return error === undefined ? { value: isMap ? someMap : value, cost } : { error, cost };
}
