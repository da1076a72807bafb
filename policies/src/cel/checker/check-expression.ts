import type { Expression, ParsedExpression } from "../syntax/expression.js";
import type { CelType } from "../types/cel-type.js";
import type { Declarations, DeclaredOverload } from "./declarations.js";

/** An expression whose types are known. */
export interface CheckedExpression {
  readonly parsed: ParsedExpression;
  readonly type: CelType;
  /** Returns the type of a node. */
  typeOf(node: Expression): CelType;
  /**
   * Returns the overloads that a call may be of: one where the types of the arguments tell, more where they are dynamic.
   * Empty for nodes that are no calls.
   */
  overloadsOf(node: Expression): readonly DeclaredOverload[];
  /**
   * Returns the qualified name that a node is a reference to, if it is one: a variable, a type, or the function of a call
   * whose target is part of its name (`optional.of`). Undefined: the node is a field selection or a member call.
   */
  referenceOf(node: Expression): string | undefined;
}

/** Checks the types of an expression. Throws CompileError with all mistakes, as v1.29 tells them. */
export function checkExpression(parsed: ParsedExpression, declarations: Declarations): CheckedExpression {
  throw new Error(`to be written: ${parsed.source} ${declarations}`);
}
