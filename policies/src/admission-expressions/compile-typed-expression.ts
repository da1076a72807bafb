import { type Compilation, type Declarations, type ObserveExpression, tryCompileExpression } from "../cel/index.js";

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
  const compilation = tryCompileExpression(source, declarations, { observe });
  const { expression } = compilation;
  if (expression === undefined) {
    return compilation;
  }
  const { kind } = expression.type;
  const found = kind === "null" ? "null_type" : kind;
  if (returns === undefined || returns.some((type) => type === found)) {
    return compilation;
  }
  const [only, ...others] = returns;
  return { problem: `must evaluate to ${others.length === 0 ? only : `one of [${returns.join(" ")}]`}` };
}
