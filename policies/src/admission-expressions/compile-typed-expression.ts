import {
  type CelType,
  type Compilation,
  type Declarations,
  isWrapperType,
  type ObserveExpression,
  tryCompileExpression,
} from "../cel/index.js";

/** The types that the value of an expression may be limited to, as v1.29 prints them. */
export type ReturnType = "bool" | "string" | "null_type";

/** An expression that is ready, or the problem that it has, in the text that v1.29 gives to users. */
export type TypedExpression = Compilation;

/**
 * Compiles an expression whose value must be of one of the types; of any without `returns`. `observe` returns the observer
 * of its evaluations.
 */
export function compileTypedExpression(
  source: string,
  declarations: Declarations,
  returns?: readonly ReturnType[],
  observe?: ObserveExpression,
): TypedExpression {
  return tryCompileExpression(source, declarations, { problemOfType: (type) => problemOfType(type, returns), observe });
}

/** Returns the problem of an expression whose value is of none of the types; undefined if it is of one. */
function problemOfType(type: CelType, returns: readonly ReturnType[] | undefined): string | undefined {
  const found = type.kind === "null" ? "null_type" : isWrapperType(type) ? "wrapper" : type.kind;
  if (returns === undefined || returns.some((name) => name === found)) {
    return undefined;
  }
  const [only, ...others] = returns;
  return `must evaluate to ${others.length === 0 ? only : `one of [${returns.join(" ")}]`}`;
}
