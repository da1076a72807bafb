import { add, divide, modulo, multiply, negate, subtract } from "../../values/arithmetic.js";
import { hasElement, isEqual } from "../../values/equality.js";
import { EvaluationError } from "../../values/evaluation-error.js";
import { entryAt } from "../../values/maps.js";
import { compareValues } from "../../values/order.js";
import { isList, isMap } from "../../values/type-name.js";
import type { CelValue } from "../../values/value.js";
import type { FunctionDefinition, Overload } from "../library.js";
import { comparisonCost, concatenationCost, listConcatenationEstimate, membershipCost } from "./costs.js";

type Extra = Pick<Overload, "cost" | "estimate">;

/** Types whose values are compared by looking at all of them. */
const textTypes = new Set(["string", "bytes"]);
const orderedTypes = ["bool", "int", "uint", "double", "string", "bytes", "timestamp", "duration"];
const numericTypes = ["int", "uint", "double"];
/** One implementation for all types, so that it need not be chosen anew for dynamic arguments. */
const orderTests = [
  orderTest("_<_", (order) => order < 0),
  orderTest("_<=_", (order) => order <= 0),
  orderTest("_>_", (order) => order > 0),
  orderTest("_>=_", (order) => order >= 0),
];

/** Operators of the language. Evaluation has its own form of those that do not evaluate all operands. */
export const operators: readonly FunctionDefinition[] = [
  { name: "_?_:_", overloads: [{ signature: "(bool, A, A) -> A", call: conditional, checksArguments: true }] },
  { name: "_&&_", overloads: [{ signature: "(bool, bool) -> bool", call: and, checksArguments: true }] },
  { name: "_||_", overloads: [{ signature: "(bool, bool) -> bool", call: or, checksArguments: true }] },
  { name: "!_", overloads: [{ signature: "(bool) -> bool", call: not, checksArguments: true }] },
  {
    name: "@not_strictly_false",
    overloads: [{ signature: "(bool) -> bool", call: isNotFalse, checksArguments: true }],
  },
  {
    name: "_==_",
    overloads: [{ signature: "(A, A) -> bool", call: isEqual, ...comparisonCost, checksArguments: true }],
  },
  {
    name: "_!=_",
    overloads: [{ signature: "(A, A) -> bool", call: differs, ...comparisonCost, checksArguments: true }],
  },
  operator("_+_", add, [
    ["(bytes, bytes) -> bytes", concatenationCost],
    ["(double, double) -> double"],
    ["(duration, duration) -> duration"],
    ["(duration, timestamp) -> timestamp"],
    ["(timestamp, duration) -> timestamp"],
    ["(int, int) -> int"],
    ["(list(A), list(A)) -> list(A)", { estimate: listConcatenationEstimate }],
    ["(string, string) -> string", concatenationCost],
    ["(uint, uint) -> uint"],
  ]),
  operator("_/_", divide, [["(double, double) -> double"], ["(int, int) -> int"], ["(uint, uint) -> uint"]]),
  operator("_%_", modulo, [["(int, int) -> int"], ["(uint, uint) -> uint"]]),
  operator("_*_", multiply, [["(double, double) -> double"], ["(int, int) -> int"], ["(uint, uint) -> uint"]]),
  operator("-_", negate, [["(double) -> double"], ["(int) -> int"]]),
  operator("_-_", subtract, [
    ["(double, double) -> double"],
    ["(duration, duration) -> duration"],
    ["(int, int) -> int"],
    ["(timestamp, duration) -> timestamp"],
    ["(timestamp, timestamp) -> duration"],
    ["(uint, uint) -> uint"],
  ]),
  ...comparisons(orderedTypes.map((type) => [type, type])),
  operator("_[_]", elementAt, [["(list(A), int) -> A"], ["(map(A, B), A) -> B"]]),
  operator("@in", isIn, [["(A, list(A)) -> bool", membershipCost], ["(A, map(A, B)) -> bool"]]),
];

/** Comparisons of numbers of different types. */
export const numericComparisons: readonly FunctionDefinition[] = comparisons(
  numericTypes.flatMap((left) =>
    numericTypes.filter((right) => right !== left).map((right): [string, string] => [left, right]),
  ),
);

/** Operators that select a value only if it is there. Evaluation has its own form of them. */
export const optionalOperators: readonly FunctionDefinition[] = [
  operator("_?._", elementAt, [["(dyn, string) -> optional(V)"]]),
  operator("_[?_]", elementAt, [
    ["(list(V), int) -> optional(V)"],
    ["(optional(list(V)), int) -> optional(V)"],
    ["(map(K, V), K) -> optional(V)"],
    ["(optional(map(K, V)), K) -> optional(V)"],
  ]),
  operator("_[_]", elementAt, [
    ["(optional(list(V)), int) -> optional(V)"],
    ["(optional(map(K, V)), K) -> optional(V)"],
  ]),
];

function operator(
  name: string,
  call: Overload["call"],
  forms: readonly (readonly [signature: string, extra?: Extra | undefined])[],
): FunctionDefinition {
  const overloads = forms.map(([signature, extra]): Overload => ({ signature, call, ...extra, checksArguments: true }));
  return { name, overloads };
}

function comparisons(types: readonly (readonly [left: string, right: string])[]): FunctionDefinition[] {
  return orderTests.map(([name, call]) =>
    operator(
      name,
      call,
      types.map(([left, right]) => [`(${left}, ${right}) -> bool`, textTypes.has(left) ? comparisonCost : undefined]),
    ),
  );
}

function orderTest(name: string, test: (order: number) => boolean): [string, Overload["call"]] {
  return [name, (left, right) => test(compareValues(left as CelValue, right as CelValue, name))];
}

function conditional(condition: CelValue, left: CelValue, right: CelValue): CelValue {
  return booleanOf(condition) ? left : right;
}

function and(left: CelValue, right: CelValue): boolean {
  return booleanOf(left) && booleanOf(right);
}

function or(left: CelValue, right: CelValue): boolean {
  return booleanOf(left) || booleanOf(right);
}

function not(value: CelValue): boolean {
  return !booleanOf(value);
}

function isNotFalse(value: CelValue): boolean {
  return value !== false;
}

function booleanOf(value: CelValue): boolean {
  if (typeof value !== "boolean") {
    throw new EvaluationError("no such overload");
  }
  return value;
}

function differs(left: CelValue, right: CelValue): boolean {
  return !isEqual(left, right);
}

function isIn(value: CelValue, container: CelValue): boolean {
  if (isList(container)) {
    return hasElement(container, value);
  }
  if (isMap(container)) {
    return entryAt(container, value) !== undefined;
  }
  throw new EvaluationError("no such overload");
}

/** Declares indexing. Evaluation selects elements itself, together with the selections around, and calls no function. */
function elementAt(): never {
  throw new EvaluationError("no such overload");
}
