import {
  type Absent,
  type AbsentPath,
  type Expression,
  expressionOf,
  nodeOf,
  type Operand,
  type Path,
  pathOf,
  selectionOf,
} from "./expression.js";
import type { ComparisonOperator, ElementNode, FunctionName, LoopName } from "./node.js";

type List<T> = Expression<readonly T[]> | Absent<readonly T[]>;
type Condition = Operand<boolean>;

/** Tests whether the path has a value. A member that is null has one. */
export function has<T>(path: Absent<T>): Expression<boolean> {
  return expressionOf({ op: "has", selection: selectionNode(path, "has") });
}

/** The value of the path; `other` if the member, or one above it, is absent. */
export function orValue<T>(path: Absent<T>, other: Operand<NoInfer<T>>): Expression<T> {
  return expressionOf({ op: "orValue", selection: selectionNode(path, "orValue"), other: nodeOf(other) });
}

/** The entry of a map under a key, which may be absent: `entry(object.metadata.labels, "app.kubernetes.io/name")`. */
export function entry<T>(
  map: Expression<{ readonly [key: string]: T }> | Absent<{ readonly [key: string]: T }>,
  key: Operand<string>,
): AbsentPath<NonNullable<T>> {
  return pathOf(selectionOf(nodeOf(map), nodeOf(key)));
}

/** The element of a list at an index from 0, which may be absent. */
export function elementAt<T>(list: List<T>, index: Operand<number>): AbsentPath<NonNullable<T>> {
  return pathOf(selectionOf(nodeOf(list), nodeOf(index)));
}

/** Tests whether two values are equal. Values of different types are not; lists and objects are compared by what they hold. */
export function eq<T>(left: Expression<T>, right: Operand<NoInfer<T>>): Expression<boolean> {
  return compare("==", left, right);
}

/** Tests whether two values differ. */
export function ne<T>(left: Expression<T>, right: Operand<NoInfer<T>>): Expression<boolean> {
  return compare("!=", left, right);
}

/** Tests whether the left value is less. Fails unless both are numbers, or both texts, which are compared by code points. */
export function lt<T extends string | number>(left: Expression<T>, right: Operand<NoInfer<T>>): Expression<boolean> {
  return compare("<", left, right);
}

/** Tests whether the left value is less or equal. Fails as `lt` does. */
export function le<T extends string | number>(left: Expression<T>, right: Operand<NoInfer<T>>): Expression<boolean> {
  return compare("<=", left, right);
}

/** Tests whether the left value is greater. Fails as `lt` does. */
export function gt<T extends string | number>(left: Expression<T>, right: Operand<NoInfer<T>>): Expression<boolean> {
  return compare(">", left, right);
}

/** Tests whether the left value is greater or equal. Fails as `lt` does. */
export function ge<T extends string | number>(left: Expression<T>, right: Operand<NoInfer<T>>): Expression<boolean> {
  return compare(">=", left, right);
}

/** Tests whether a list holds the value. */
export function isIn<T>(value: Expression<T>, list: Operand<readonly NoInfer<T>[]>): Expression<boolean> {
  return compare("in", value, list);
}

/** Tests whether all operands are true. One that is false decides, also if another fails. */
export function and(...operands: readonly [Condition, Condition, ...Condition[]]): Expression<boolean> {
  return expressionOf({ op: "and", operands: operands.map(nodeOf) });
}

/** Tests whether one of the operands is true, which decides, also if another fails. */
export function or(...operands: readonly [Condition, Condition, ...Condition[]]): Expression<boolean> {
  return expressionOf({ op: "or", operands: operands.map(nodeOf) });
}

/** Tests whether the operand is false. */
export function not(operand: Condition): Expression<boolean> {
  return expressionOf({ op: "not", operand: nodeOf(operand) });
}

/** The first value if the condition is true, the second otherwise. Only that one is evaluated. */
export function choose<T>(condition: Condition, first: Expression<T>, second: Operand<NoInfer<T>>): Expression<T> {
  return expressionOf({ op: "choice", condition: nodeOf(condition), left: nodeOf(first), right: nodeOf(second) });
}

/** Tests whether the predicate is true for each element. True for an absent list. */
export function all<T>(list: List<T>, predicate: (element: Path<T>) => Condition): Expression<boolean> {
  return loop("all", list, predicate);
}

/** Tests whether the predicate is true for an element. False for an absent list. */
export function exists<T>(list: List<T>, predicate: (element: Path<T>) => Condition): Expression<boolean> {
  return loop("exists", list, predicate);
}

/** The elements for which the predicate is true; none of an absent list. */
export function filter<T>(list: List<T>, predicate: (element: Path<T>) => Condition): Expression<readonly T[]> {
  return loop("filter", list, predicate);
}

/** The list of what a function makes of each element; an empty one of an absent list. */
export function map<T, U>(list: List<T>, make: (element: Path<T>) => Expression<U>): Expression<readonly U[]> {
  return loop("map", list, make);
}

/** The number of code points of a text, of elements of a list, or of entries of a map. */
export function size(
  value: Expression<string> | Expression<readonly unknown[]> | Expression<Readonly<Record<string, unknown>>>,
): Expression<number> {
  return call("size", value);
}

/** Tests whether a text begins with another. */
export function startsWith(text: Expression<string>, start: Operand<string>): Expression<boolean> {
  return call("startsWith", text, start);
}

/** Tests whether a text ends with another. */
export function endsWith(text: Expression<string>, end: Operand<string>): Expression<boolean> {
  return call("endsWith", text, end);
}

/** Tests whether a text contains another. */
export function contains(text: Expression<string>, part: Operand<string>): Expression<boolean> {
  return call("contains", text, part);
}

/** Tests whether a part of the text matches a pattern, in the syntax of RE2. Anchors (`^`, `$`) make it the whole text. */
export function matches(text: Expression<string>, pattern: string): Expression<boolean> {
  return call("matches", text, pattern);
}

/** The text with its letters A to Z in lower case. */
export function lowerAscii(text: Expression<string>): Expression<string> {
  return call("lowerAscii", text);
}

/** The texts of a list in one, with a separator between them. */
export function join(texts: Expression<readonly string[]>, separator: Operand<string>): Expression<string> {
  return call("join", texts, separator);
}

/** The texts one after the other. */
export function concat(
  ...texts: readonly [Operand<string>, Operand<string>, ...Operand<string>[]]
): Expression<string> {
  return call("+", ...texts);
}

/** A number, a boolean or a text as text. */
export function text(value: Expression<number> | Expression<boolean> | Expression<string>): Expression<string> {
  return call("string", value);
}

/**
 * A named expression, evaluated at most once for a request. It becomes a variable of the printed policy.
 *
 * @example
 * const images = variable("images", map(object.spec.containers, ({ image }) => orValue(image, "")));
 */
export function variable<T>(name: string, value: Expression<T>): Path<T> {
  return pathOf<T>({ op: "variable", name, value: nodeOf(value) });
}

function selectionNode(path: unknown, name: string) {
  const node = nodeOf(path);
  if (node.op !== "selection" && !(node.op === "root" && node.name === "oldObject")) {
    throw new TypeError(`${name}() takes a path, such as object.spec, which may be absent`);
  }
  return node;
}

function compare(operator: ComparisonOperator, left: unknown, right: unknown): Expression<boolean> {
  return expressionOf({ op: "comparison", operator, left: nodeOf(left), right: nodeOf(right) });
}

function call<T>(name: FunctionName, ...args: readonly unknown[]): Expression<T> {
  return expressionOf({ op: "call", name, args: args.map(nodeOf) });
}

function loop<T, U>(name: LoopName, list: List<T>, body: (element: Path<T>) => unknown): Expression<U> {
  const element: ElementNode = { op: "element" };
  const node = nodeOf(list);
  // Every path may be absent: a type alone knows of it, and modules written in JavaScript have none.
  const present = node.op === "selection" ? ({ op: "orValue", selection: node, other: emptyList } as const) : node;
  return expressionOf({ op: "loop", name, list: present, element, body: nodeOf(body(pathOf<T>(element))) });
}

const emptyList = { op: "literal", value: [] } as const;
