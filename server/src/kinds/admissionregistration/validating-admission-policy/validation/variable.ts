import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { type JsonValue, textAt } from "@gatehouse/envelopes/json";
import { reportExpression } from "../../validation/expression-problem.js";
import type { PolicyExpressions } from "./policy-expressions.js";

// Keywords and reserved words of CEL.
const reserved = new Set([
  ...["true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if", "import"],
  ...["let", "loop", "package", "namespace", "return", "var", "void", "while"],
]);

/** Validates a variable: an expression with a name by which others can refer to it. */
export function validateVariable(
  variable: JsonValue,
  path: FieldPath,
  errors: FieldErrors,
  expressions: PolicyExpressions,
): void {
  const name = textAt(variable, "name");
  if (name.trim() === "") {
    errors.required(path.child("name"), "name is not specified");
  } else if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) || reserved.has(name)) {
    errors.invalid(path.child("name"), name, "name is not a valid CEL identifier");
  }
  const expression = textAt(variable, "expression");
  if (expression.trim() === "") {
    errors.required(path.child("expression"), "expression is not specified");
    return;
  }
  const problem = expressions.addVariable(name, expression);
  if (problem !== undefined) {
    reportExpression(errors, path.child("expression"), expression, problem);
  }
}
