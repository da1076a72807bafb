import { Token, type TokenKind } from "./tokens.js";

/** Names of the functions that operators call. */
export const Operator = {
  conditional: "_?_:_",
  and: "_&&_",
  or: "_||_",
  not: "!_",
  negate: "-_",
  equals: "_==_",
  add: "_+_",
  index: "_[_]",
  optionalIndex: "_[?_]",
  optionalSelect: "_?._",
  notStrictlyFalse: "@not_strictly_false",
} as const;

/** Names of the functions of operators between two operands, by the kinds of their tokens; "" for other tokens. */
function byKind(names: readonly (readonly [TokenKind, string])[]): readonly string[] {
  const table = new Array<string>(Token.identifier + 1).fill("");
  for (const [kind, name] of names) table[kind] = name;
  return table;
}

/** The functions of operators that compare. */
export const comparisons: readonly string[] = byKind([
  [Token.less, "_<_"],
  [Token.lessEquals, "_<=_"],
  [Token.greaterEquals, "_>=_"],
  [Token.greater, "_>_"],
  [Token.equals, Operator.equals],
  [Token.notEquals, "_!=_"],
  [Token.in, "@in"],
]);

/** The functions of `+` and `-`. */
export const sums: readonly string[] = byKind([
  [Token.plus, Operator.add],
  [Token.minus, "_-_"],
]);

/** The functions of `*`, `/` and `%`. */
export const products: readonly string[] = byKind([
  [Token.times, "_*_"],
  [Token.divide, "_/_"],
  [Token.modulo, "_%_"],
]);
