import {
  type CelType,
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
  | ProblematicExpression;

/** The result for an expression that cannot be evaluated. */
export interface ProblematicExpression {
  readonly expression?: undefined;
  readonly problem: string;
  /** True if only its instantiation failed: v1.29 reports that as an internal error, and not as an invalid value. */
  readonly isInternal?: true;
}

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
      const problem = `program instantiation failed: ${error.message}`;
      return problemOfType(error.type, returns) ?? { problem, isInternal: true };
    }
    throw error;
  }
  return problemOfType(expression.type, returns) ?? { expression };
}

/** Returns the problem of an expression whose value is of none of the types; undefined if it is of one. */
function problemOfType(
  { kind }: CelType,
  returns: readonly ReturnType[] | undefined,
): ProblematicExpression | undefined {
  const found = kind === "null" ? "null_type" : kind;
  if (returns === undefined || returns.some((type) => type === found)) {
    return undefined;
  }
  const [only, ...others] = returns;
  return { problem: `must evaluate to ${others.length === 0 ? only : `one of [${returns.join(" ")}]`}` };
}
