import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { CompileError } from "./compile-error.js";
import { parseExpression } from "./parse-expression.js";

interface Recorded {
  readonly question: { readonly expr: string };
  readonly answer: { readonly compileError?: string };
}

const file = new URL("../../../src/cel/recorded/syntax-errors.jsonl", import.meta.url);
const recorded = readFileSync(file, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Recorded);

/** Messages of the type checker, which runs only on what the parser has accepted. */
const checkerMessage =
  /undeclared reference|found no matching overload|expression of type|expected type|unsupported|not a type|undefined field|unexpected/;

const rejected = recorded.filter(({ answer }) => isSyntaxError(answer.compileError));
const accepted = recorded.filter(({ answer }) => !isSyntaxError(answer.compileError));

function isSyntaxError(message: string | undefined): message is string {
  if (message === undefined) return false;
  const first = message.slice(0, message.indexOf("\n") >>> 0);
  return !checkerMessage.test(first) || first.includes("Syntax error");
}

function messageOf(source: string): string | undefined {
  try {
    parseExpression(source);
    return undefined;
  } catch (error) {
    if (error instanceof CompileError) return error.message;
    throw error;
  }
}

test("wrong expressions are refused with the texts of v1.29, byte for byte", () => {
  assert.ok(rejected.length >= 400);
  for (const { question, answer } of rejected) {
    assert.equal(messageOf(question.expr), answer.compileError, question.expr);
  }
});

test("expressions that v1.29 parses are parsed", () => {
  assert.ok(accepted.length >= 100);
  for (const { question } of accepted) assert.equal(messageOf(question.expr), undefined, question.expr);
});

test("an expression of more than 100,000 code points is refused, and one of as many is not", () => {
  const message = "ERROR: <input>:-1:0: expression code point size exceeds limit: size: 100001, limit 100000";
  assert.equal(messageOf(`'${"😀".repeat(99_999)}'`), message);
  assert.equal(messageOf(`'${"😀".repeat(99_998)}'`), undefined);
});

test("problems tell their offsets in UTF-16 units", () => {
  assert.throws(
    () => parseExpression("'😀' + for"),
    (error: unknown) => {
      assert.ok(error instanceof CompileError);
      assert.deepEqual(error.problems, [{ message: "reserved identifier: for", offset: 7 }]);
      assert.match(error.message, /:1:7: reserved identifier: for\n \| '😀' \+ for\n \| \.．\.\.\.\.\^$/);
      return true;
    },
  );
});
