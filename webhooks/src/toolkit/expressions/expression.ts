import type { Literal, Node } from "./node.js";

declare const valueType: unique symbol;
declare const absentType: unique symbol;

/** An expression whose value is of type `T`. It is made by the functions of this folder, and by paths. */
export interface Expression<T> {
  readonly [valueType]: T;
}

/**
 * A path whose value is of type `T` if it is there. It has no value of its own: `orValue` gives it one for the case that a
 * member is absent, `has` asks whether it is there, and loops take an absent list for an empty one.
 */
export interface Absent<T> {
  readonly [absentType]: T;
}

type Scalar = string | number | boolean;
type IsAny<T> = 0 extends 1 & T ? true : false;

/** True for objects that hold entries under any key. */
type IsMap<T> = string extends keyof T ? true : false;

/** A value of type `T`, with a path for each of its members. Entries of maps and lists are selected by `entry`. */
export type Path<T> = Expression<T> & Members<T, false>;

/** A value of type `T` that may be absent, with a path for each of its members. */
export type AbsentPath<T> = Absent<T> & Members<T, true>;

type Members<T, IsBelowAbsent extends boolean> =
  IsAny<T> extends true
    ? unknown
    : T extends Scalar | readonly unknown[] | null
      ? unknown
      : IsMap<T> extends true
        ? unknown
        : { readonly [K in keyof T]-?: MemberPath<T[K], IsBelowAbsent> };

type MemberPath<T, IsBelowAbsent extends boolean> = IsBelowAbsent extends true
  ? AbsentPath<NonNullable<T>>
  : undefined extends T
    ? AbsentPath<NonNullable<T>>
    : Path<T>;

/** An expression of type `T`, or a value that can be written into one. */
export type Operand<T> =
  | Expression<T>
  | (T extends Scalar | null
      ? T
      : T extends readonly (infer Item extends Scalar)[]
        ? readonly Item[]
        : T extends readonly unknown[]
          ? readonly []
          : IsMap<T> extends true
            ? Readonly<Record<string, never>>
            : never);

/** The key under which paths and expressions hold their tree. */
const treeKey: unique symbol = Symbol("expression");

interface Holder {
  readonly [treeKey]: Node;
}

/** Returns the expression of a tree. */
export function expressionOf<T>(node: Node): Expression<T> {
  return Object.freeze({ [treeKey]: node }) as unknown as Expression<T>;
}

/** Returns the path of a tree: its members are paths as well, whatever their names are. */
export function pathOf<T>(node: Node): Path<T> & AbsentPath<T> {
  const target: Holder = { [treeKey]: node };
  return new Proxy(target, {
    get(_target, name) {
      if (name === treeKey) {
        return node;
      }
      // Without symbols a path is neither iterated nor made a text by mistake; both throw TypeError.
      return typeof name === "symbol" ? undefined : pathOf(selectionOf(node, { op: "literal", value: name }));
    },
  }) as unknown as Path<T> & AbsentPath<T>;
}

/** Returns the selection of a key. */
export function selectionOf(container: Node, key: Node): Node {
  return { op: "selection", container, key };
}

/** Returns the tree of an operand. Throws TypeError for a value that cannot be written into an expression. */
export function nodeOf(operand: unknown): Node {
  if (typeof operand === "object" && operand !== null) {
    const node = (operand as Partial<Holder>)[treeKey];
    if (node !== undefined) {
      return node;
    }
  }
  return { op: "literal", value: literalOf(operand) };
}

function literalOf(value: unknown): Literal {
  if (value === null || typeof value === "boolean" || typeof value === "string") {
    return value;
  }
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) {
      throw new TypeError(`${value} cannot be written into an expression: numbers must be whole`);
    }
    return value;
  }
  if (Array.isArray(value)) {
    return listLiteral(value);
  }
  if (
    typeof value === "object" &&
    Object.keys(value).length === 0 &&
    Object.getPrototypeOf(value) === Object.prototype
  ) {
    return {};
  }
  throw new TypeError(
    `a value of type ${typeof value} cannot be written into an expression: give a text, a whole number, a boolean, null, a list of these, or {}`,
  );
}

function listLiteral(items: readonly unknown[]): readonly (string | number | boolean)[] {
  const [first] = items;
  if (items.some((item) => typeof item !== typeof first || typeof item === "object")) {
    throw new TypeError("a list must hold values of one type: texts, whole numbers or booleans");
  }
  return Object.freeze(items.map((item) => literalOf(item) as string | number | boolean));
}
