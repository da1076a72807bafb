import type { ParsedExpression } from "./expression.js";

/**
 * Parses an expression of the language that v1.29 speaks, and expands its macros. Throws CompileError with all that is
 * wrong with the syntax, as v1.29 tells it.
 */
export function parseExpression(source: string): ParsedExpression {
  throw new Error(`to be written: ${source}`);
}
