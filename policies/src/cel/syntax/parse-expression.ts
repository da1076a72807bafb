import { CompileError, noPlace } from "./compile-error.js";
import type { ParsedExpression } from "./expression.js";
import { tokenize } from "./lexer.js";
import { parseTokens } from "./parser.js";
import { findProblems } from "./recovery/index.js";
import { countCodePoints } from "./source-lines.js";

/** The largest number of code points of an expression. */
const maxCodePoints = 100_000;

/**
 * Parses an expression of the language that v1.29 speaks, and expands its macros. Throws CompileError with all that is
 * wrong with the syntax, as v1.29 tells it.
 */
export function parseExpression(source: string): ParsedExpression {
  checkSize(source);
  const tokens = tokenize(source);
  const parsed = parseTokens(source, tokens);
  if (parsed !== undefined) return parsed;
  throw new CompileError(source, findProblems(source, tokens));
}

function checkSize(source: string): void {
  if (source.length <= maxCodePoints) return;
  const size = countCodePoints(source);
  if (size <= maxCodePoints) return;
  const message = `expression code point size exceeds limit: size: ${size}, limit ${maxCodePoints}`;
  throw new CompileError(source, [{ message, offset: noPlace }]);
}
