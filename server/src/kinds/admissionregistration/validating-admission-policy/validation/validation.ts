import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { trimSpace } from "@gatehouse/envelopes/go";
import { isSet, type JsonValue, textAt } from "@gatehouse/envelopes/json";
import { reportExpression } from "../../validation/expression-problem.js";
import type { PolicyExpressions } from "./policy-expressions.js";

const reasons = ["Forbidden", "Invalid", "RequestEntityTooLarge"];

/** Validates one validation of a policy: its expression, message and reason. */
export function validateValidation(
  validation: JsonValue,
  path: FieldPath,
  errors: FieldErrors,
  expressions: PolicyExpressions,
): void {
  validateExpression(textAt(validation, "expression"), path.child("expression"), errors, expressions);
  validateMessageExpression(
    textAt(validation, "messageExpression"),
    path.child("messageExpression"),
    errors,
    expressions,
  );
  const message = textAt(validation, "message");
  if (message !== "" && trimSpace(message) === "") {
    errors.invalid(path.child("message"), message, "message must be non-empty if specified");
  } else if (/[\n\r]/.test(message.trim())) {
    errors.invalid(path.child("message"), message, "message must not contain line breaks");
  }
  const reason = textAt(validation, "reason");
  if (isSet(validation, "reason") && !reasons.includes(reason)) {
    errors.notSupported(path.child("reason"), reason, reasons);
  }
}

function validateExpression(
  expression: string,
  path: FieldPath,
  errors: FieldErrors,
  expressions: PolicyExpressions,
): void {
  if (trimSpace(expression) === "") {
    errors.required(path, "expression is not specified");
    return;
  }
  const problem = expressions.problemOfValidation(expression);
  if (problem !== undefined) {
    reportExpression(errors, path, expression, problem);
  }
}

function validateMessageExpression(
  expression: string,
  path: FieldPath,
  errors: FieldErrors,
  expressions: PolicyExpressions,
): void {
  if (expression === "") {
    return;
  }
  const problem =
    trimSpace(expression) === ""
      ? { problem: "must be non-empty if specified" }
      : expressions.problemOfMessage(expression);
  if (problem !== undefined) {
    reportExpression(errors, path, expression, problem);
  }
}
