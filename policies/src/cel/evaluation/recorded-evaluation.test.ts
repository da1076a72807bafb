import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import type { JsonValue } from "@gatehouse/envelopes/json";
import { toJson } from "../values/json.js";
import { type CelValue, Duration } from "../values/value.js";
import { ProgramError } from "./program-error.js";
import { compileQuestion, type Question } from "./test-environment.test.support.js";

interface Answer {
  readonly value?: JsonValue;
  readonly cost?: number;
  readonly error?: string;
  readonly compileError?: string;
}

const recorded = readFileSync(new URL("../../../src/cel/recorded/evaluation.jsonl", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line) as { readonly question: Question; readonly answer: Answer });

describe("An expression evaluates to v1.29's value, error and cost", () => {
  assert.ok(recorded.length > 1000);
  for (const { question, answer } of recorded) {
    const types = question.types === undefined ? "" : ` with ${JSON.stringify(question.types)}`;
    it(`${question.expr}${types}`, () => {
      assert.deepEqual(answerTo(question), expected(answer));
    });
  }
});

function answerTo(question: Question): Answer {
  try {
    const { value, error, cost } = compileQuestion(question).evaluate(question.vars ?? {}, 100_000_000);
    return error === undefined ? { value: comparable(value ?? null), cost } : { error: error.message, cost };
  } catch (thrown) {
    assert.ok(thrown instanceof ProgramError, String(thrown));
    return { compileError: thrown.message };
  }
}

function expected({ value = null, cost = 0, error, compileError }: Answer): Answer {
  if (compileError !== undefined) {
    return { compileError };
  }
  return error === undefined ? { value: plain(value), cost } : { error, cost };
}

/** Returns a value as the oracle prints it: durations in nanoseconds, ints as JSON.parse reads them. */
function comparable(value: CelValue): JsonValue {
  const json = value instanceof Duration ? Number(value.nanoseconds) : toJson(value);
  return plain(json);
}

/** Returns JSON without bigints, and without zeros that have a sign. */
function plain(json: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(json, (_key, part) => (typeof part === "bigint" ? Number(part) : part)));
}
