import { readFileSync } from "node:fs";
import { storedExpressions } from "../environment.js";
import { CompileError } from "../syntax/compile-error.js";
import { parseExpression } from "../syntax/parse-expression.js";
import type { CelType } from "../types/cel-type.js";
import { checkExpression } from "./check-expression.js";
import type { CheckedExpression } from "./checked-expression.js";
import { readSignature } from "./read-signature.js";

/** A question that v1.29 was asked, and its answer. Numbers of 64 bits are texts. */
export interface Recorded {
  readonly question: {
    readonly expr: string;
    readonly vars?: Readonly<Record<string, unknown>>;
    readonly types?: Readonly<Record<string, string>>;
    readonly sizes?: Readonly<Record<string, readonly [number, number]>>;
  };
  readonly answer: {
    readonly type?: string;
    readonly estimate?: { readonly Min: string; readonly Max: string };
    readonly compileError?: string;
  };
}

/** Returns what was recorded in a file of the folder `recorded`. */
export function readRecorded(name: string): readonly Recorded[] {
  const file = new URL(`../../../src/cel/recorded/${name}.jsonl`, import.meta.url);
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter(Boolean).map((line) => JSON.parse(line.replace(/"(Min|Max)":(\d+)/g, '"$1":"$2"')));
}

/** Parses and checks an expression with variables of types as in signatures. */
export function check(source: string, variables: Readonly<Record<string, string>> = {}): CheckedExpression {
  const types = Object.entries(variables).map(([name, type]) => [name, typeNamed(type)] as const);
  return checkExpression(parseExpression(source), storedExpressions.withVariables(new Map(types)));
}

/** Checks the expression of a question; variables without a type are dynamic. */
export function checkQuestion({ question: { expr, vars = {}, types = {} } }: Recorded): CheckedExpression {
  return check(expr, Object.fromEntries(Object.keys(vars).map((name) => [name, types[name] ?? "dyn"])));
}

/** Returns the message of the CompileError that an action throws; undefined if it throws none. */
export function compileErrorOf(action: () => unknown): string | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (error instanceof CompileError) {
      return error.message;
    }
    throw error;
  }
}

function typeNamed(text: string): CelType {
  return readSignature(`() -> ${text}`, new Map()).resultType;
}
