import { CompileError } from "../syntax/compile-error.js";
import type { ParsedExpression } from "../syntax/expression.js";
import { TypesTooComplex } from "../types/type-inference.js";
import type { CheckedExpression } from "./checked-expression.js";
import { Checker } from "./checker.js";
import type { Declarations } from "./declarations.js";
import { validateLiterals } from "./validate-literals.js";

export type { CheckedExpression } from "./checked-expression.js";

/** Checks the types of an expression. Throws CompileError with all mistakes, as v1.29 tells them. */
export function checkExpression(parsed: ParsedExpression, declarations: Declarations): CheckedExpression {
  const checker = new Checker(parsed, declarations);
  try {
    const checked = checker.checkAll();
    const problems = checker.problems.length > 0 ? checker.problems : validateLiterals(checked);
    if (problems.length > 0) {
      throw new CompileError(parsed.source, problems);
    }
    return checked;
  } catch (error) {
    if (error instanceof TypesTooComplex) {
      throw new CompileError(parsed.source, [{ message: error.message, offset: parsed.root.offset }]);
    }
    throw error;
  }
}
