import { Declarations } from "../checker/declarations.js";
import { type CompiledExpression, compileExpression } from "../compile-expression.js";
import type { Library } from "../libraries/library.js";
import { standardLibraries } from "../libraries/standard/index.js";
import {
  boolType,
  type CelType,
  doubleType,
  dynType,
  intType,
  listType,
  mapType,
  stringType,
} from "../types/cel-type.js";
import type { CelValue } from "../values/value.js";
import type { Evaluation } from "./compile-program.js";

const settings: Library = {
  name: "settings of v1.29",
  introduced: [1, 29],
  functions: [],
  settings: { presenceTestCost: 0 },
};

const typesByName: ReadonlyMap<string, CelType> = new Map([
  ["int", intType],
  ["double", doubleType],
  ["bool", boolType],
  ["string", stringType],
  ["list(int)", listType(intType)],
  ["list(string)", listType(stringType)],
  ["map(string,dyn)", mapType(stringType, dynType)],
]);

/** An expression and its variables, as the oracle is asked. Variables without a type are dynamic. */
export interface Question {
  readonly expr: string;
  readonly vars?: Readonly<Record<string, CelValue>>;
  readonly types?: Readonly<Record<string, string>>;
}

/** Compiles a question with the functions of the language alone, and those of further libraries. */
export function compileQuestion(
  { expr, vars = {}, types = {} }: Question,
  ...more: readonly Library[]
): CompiledExpression {
  const variables = new Map(Object.keys(vars).map((name) => [name, typesByName.get(types[name] ?? "") ?? dynType]));
  return compileExpression(expr, Declarations.of([...standardLibraries, settings, ...more]).withVariables(variables));
}

/** Evaluates an expression with a limit that none of the tests' expressions reaches. */
export function evaluate(expr: string, vars: Question["vars"] = {}, types: Question["types"] = {}): Evaluation {
  return compileQuestion({ expr, vars, types }).evaluate(vars, 1_000_000);
}
