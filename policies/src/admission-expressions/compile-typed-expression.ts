import {
  type CompiledExpression,
  CompileError,
  compileExpression,
  type Declarations,
  type ObserveExpression,
  ProgramError,
} from "../cel/index.js";

/** The types that the value of an expression may be limited to, as v1.29 prints them. */
export type ReturnType = "bool" | "string" | "null_type";

/** An expression that is ready, or the problem that it has, in the text that v1.29 gives to users. */
export type TypedExpression =
  | { readonly expression: CompiledExpression; readonly problem?: undefined }
  | { readonly expression?: undefined; readonly problem: string };

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
  let expression: CompiledExpression;
  try {
    expression = compileExpression(source, declarations, observe);
  } catch (error) {
    if (error instanceof CompileError) {
      return { problem: `compilation failed: ${error.message}` };
    }
    if (error instanceof ProgramError) {
      return { problem: `program instantiation failed: ${error.message}` };
    }
    throw error;
  }
  const { kind } = expression.type;
  const found = kind === "null" ? "null_type" : kind;
  if (returns === undefined || returns.some((type) => type === found)) {
    return { expression };
  }
  const [only, ...others] = returns;
  return { problem: `must evaluate to ${others.length === 0 ? only : `one of [${returns.join(" ")}]`}` };
}
