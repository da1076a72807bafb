import type { CelValue } from "../values/value.js";

/**
 * A node of a parsed expression. Macros are expanded: `has`, `all`, `exists` and their like are no calls any more.
 * Immutable. Nodes of one expression have the ids 1, 2, 3 ..., so that facts about them can be kept in arrays. A macro may
 * put one node in several places: `optMap` its target.
 */
export type Expression =
  | Literal
  | Identifier
  | Select
  | Call
  | ListLiteral
  | MapLiteral
  | StructLiteral
  | Comprehension;

interface ExpressionNode {
  readonly id: number;
  /** Offset in the source, in UTF-16 units, to which errors about this node point: of `a + b`, that of the operator. */
  readonly offset: number;
}

/** A value that the source spells out. */
export interface Literal extends ExpressionNode {
  readonly kind: "literal";
  readonly value: CelValue;
}

/** A name: of a variable, or of a type. A leading dot is kept. */
export interface Identifier extends ExpressionNode {
  readonly kind: "identifier";
  readonly name: string;
}

/** `operand.field`, or `has(operand.field)` if `isTest`. A qualified name such as `optional.none` is one, too. */
export interface Select extends ExpressionNode {
  readonly kind: "select";
  readonly operand: Expression;
  readonly field: string;
  readonly isTest: boolean;
}

/** A call of a function, of a member function if it has a target, or of an operator by its name: `_+_`, `_[_]`, `@in`. */
export interface Call extends ExpressionNode {
  readonly kind: "call";
  readonly name: string;
  readonly target: Expression | undefined;
  readonly args: readonly Expression[];
}

/** `[a, ?b]`. */
export interface ListLiteral extends ExpressionNode {
  readonly kind: "list";
  readonly elements: readonly Expression[];
  /** Indexes of the elements that are optional values, which are left out if they are none. */
  readonly optionalIndexes: readonly number[];
}

/** An entry of a map literal. */
export interface MapEntry {
  readonly id: number;
  readonly offset: number;
  readonly key: Expression;
  readonly value: Expression;
  readonly isOptional: boolean;
}

/** `{key: value, ?key: value}`. */
export interface MapLiteral extends ExpressionNode {
  readonly kind: "map";
  readonly entries: readonly MapEntry[];
}

/** A field of a struct literal. */
export interface StructField {
  readonly id: number;
  readonly offset: number;
  readonly field: string;
  readonly value: Expression;
  readonly isOptional: boolean;
}

/** `Type{field: value}`. */
export interface StructLiteral extends ExpressionNode {
  readonly kind: "struct";
  readonly typeName: string;
  readonly fields: readonly StructField[];
}

/**
 * A loop that macros expand to: `accumulator` begins as `initial`; for each element of `range`, while `condition` is true,
 * it becomes `step`; the value of the whole is `result`.
 */
export interface Comprehension extends ExpressionNode {
  readonly kind: "comprehension";
  readonly range: Expression;
  readonly variable: string;
  readonly accumulator: string;
  readonly initial: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

/** A call of a macro, as it was written, for those who show expressions to people. */
export interface MacroCall {
  readonly name: string;
  readonly target: Expression | undefined;
  readonly args: readonly Expression[];
}

/** A range of the source, in UTF-16 units. */
export interface SourceRange {
  readonly start: number;
  readonly end: number;
}

/** A parsed source. */
export interface ParsedExpression {
  readonly source: string;
  readonly root: Expression;
  /** The largest id of a node. */
  readonly maxId: number;
  /**
   * The text of a node, by its id. Nodes that macros made have none, except the one in the place of a macro: that has the
   * text of the whole call.
   */
  readonly ranges: ReadonlyMap<number, SourceRange>;
  /** The macros that were expanded, by the id of the node that took their place. */
  readonly macroCalls: ReadonlyMap<number, MacroCall>;
}

/** Returns the text of a node in the source; empty for nodes that macros made. */
export function sourceTextOf({ source, ranges }: ParsedExpression, { id }: Expression): string {
  const range = ranges.get(id);
  return range === undefined ? "" : source.slice(range.start, range.end);
}
