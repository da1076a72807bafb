import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import type { JsonValue } from "@gatehouse/envelopes/json";
import { compileExpression } from "../compile-expression.js";
import { storedExpressions } from "../environment.js";
import { ProgramError } from "../evaluation/program-error.js";
import { CompileError } from "../syntax/compile-error.js";
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  dynType,
  intType,
  listType,
  stringType,
} from "../types/cel-type.js";
import { qualifiedTypeText } from "../types/type-text.js";
import { toJson } from "../values/json.js";
import { type CelValue, Duration } from "../values/value.js";

interface Recorded {
  readonly question: {
    readonly expr: string;
    readonly vars?: Readonly<Record<string, CelValue>>;
    readonly types?: Readonly<Record<string, string>>;
  };
  readonly answer: {
    readonly type?: string;
    readonly value?: JsonValue;
    readonly cost?: number;
    readonly estimate?: { readonly Min: string; readonly Max: string };
    readonly error?: string;
    readonly compileError?: string;
  };
}

const typesByName: ReadonlyMap<string, CelType> = new Map([
  ["int", intType],
  ["double", doubleType],
  ["bool", boolType],
  ["bytes", bytesType],
  ["string", stringType],
  ["list(int)", listType(intType)],
  ["list(string)", listType(stringType)],
]);

const recorded = ["libraries-texts", "libraries-values", "libraries-formats", "messages"].flatMap((name) =>
  readFileSync(new URL(`../../../src/cel/recorded/${name}.jsonl`, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line.replace(/"(Min|Max)":(\d+)/g, '"$1":"$2"')) as Recorded),
);

describe("An expression with functions of libraries or messages has v1.29's value, error, cost and estimate", () => {
  assert.ok(recorded.length > 1000);
  for (const { question, answer } of recorded) {
    it(`${question.expr} with ${JSON.stringify(question.vars ?? {})}`, () => {
      assert.deepEqual(answerTo(question), expected(answer));
    });
  }
});

function answerTo({ expr, vars = {}, types = {} }: Recorded["question"]): Recorded["answer"] {
  const variables = new Map(Object.keys(vars).map((name) => [name, typesByName.get(types[name] ?? "") ?? dynType]));
  try {
    const compiled = compileExpression(expr, storedExpressions.withVariables(variables));
    const { value, error, cost } = compiled.evaluate(vars, 100_000_000);
    const { min, max } = compiled.estimate(() => undefined);
    const estimate = { Min: String(min), Max: String(max) };
    const type = qualifiedTypeText(compiled.type);
    return error === undefined
      ? { type, value: comparable(value ?? null), cost, estimate }
      : { type, error: error.message, cost, estimate };
  } catch (thrown) {
    assert.ok(thrown instanceof ProgramError || thrown instanceof CompileError, String(thrown));
    return { compileError: thrown.message };
  }
}

function expected({ type, value = null, cost = 0, estimate, error, compileError }: Recorded["answer"]) {
  if (compileError !== undefined) {
    return { compileError };
  }
  // Some empty lists are nil in Go, which the oracle prints as null.
  const isNil = value === null && type === "list(string)";
  return error === undefined
    ? { type, value: isNil ? [] : plain(value), cost, estimate }
    : { type, error, cost, estimate };
}

/** Returns a value as the oracle prints it. */
function comparable(value: CelValue): JsonValue {
  if (value === null) {
    // The number of the only value of NullValue.
    return 0;
  }
  if (value instanceof Duration) {
    return Number(value.nanoseconds);
  }
  return typeof value === "number" && !Number.isFinite(value) ? goText(value) : plain(toJson(value));
}

function goText(value: number): string {
  return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
}

/** Returns JSON without bigints, and without zeros that have a sign. */
function plain(json: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(json, (_key, part) => (typeof part === "bigint" ? Number(part) : part)));
}
