import type { Settings } from "../libraries/library.js";
import type { Expression, ParsedExpression } from "../syntax/expression.js";
import type { CelType } from "../types/cel-type.js";
import type { Declarations, DeclaredOverload } from "./declarations.js";

/** An expression whose types are known. */
export interface CheckedExpression {
  readonly parsed: ParsedExpression;
  readonly type: CelType;
  /** The rules that the expression was checked by, and is evaluated by. */
  readonly settings: Settings;
  /** The messages, constants and types that it may name. */
  readonly declarations: Pick<Declarations, "constant" | "isTypeValue" | "message">;
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
