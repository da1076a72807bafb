import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { trimSpace } from "@gatehouse/envelopes/go";
import { isJsonObject, isSet, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { normalFieldPath } from "@gatehouse/policies/structural-schemas";
import { formProblem } from "../../schema/structural-form.js";

const member = "x-kubernetes-validations";
const reasons = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

/** Validates the form of rules in CEL; see rule-expressions.ts for their expressions. */
export function validateValidationRules(schema: JsonObject, path: FieldPath, errors: FieldErrors): void {
  for (const [index, rule] of listAt(schema, member).entries()) {
    if (errors.isFull) {
      return;
    }
    if (isJsonObject(rule)) {
      validateTexts(rule, path.child(member).index(index), errors);
      validateReason(rule, path.child(member).index(index), errors);
      validateFieldPath(schema, rule, path.child(member).index(index), errors);
    }
  }
}

function validateTexts(rule: JsonObject, path: FieldPath, errors: FieldErrors): void {
  const message = textAt(rule, "message");
  const expression = trimSpace(textAt(rule, "rule"));
  const trimmed = trimSpace(message);
  if (expression === "") {
    errors.required(path.child("rule"), "rule is not specified");
  } else if (message !== "" && trimmed === "") {
    errors.invalid(path.child("message"), message, "message must be non-empty if specified");
  } else if (hasNewlines(trimmed)) {
    errors.invalid(path.child("message"), message, "message must not contain line breaks");
  } else if (hasNewlines(expression) && trimmed === "") {
    errors.required(path.child("message"), "message must be specified if rule contains line breaks");
  }
  const messageExpression = textAt(rule, "messageExpression");
  if (messageExpression !== "" && trimSpace(messageExpression) === "") {
    errors.required(path.child("messageExpression"), "messageExpression must be non-empty if specified");
  }
}

function validateReason(rule: JsonObject, path: FieldPath, errors: FieldErrors): void {
  const reason = textAt(rule, "reason");
  if (isSet(rule, "reason") && !reasons.includes(reason)) {
    errors.notSupported(path.child("reason"), reason, reasons);
  }
}

function validateFieldPath(schema: JsonObject, rule: JsonObject, path: FieldPath, errors: FieldErrors): void {
  const fieldPath = textAt(rule, "fieldPath");
  if (fieldPath === "") {
    return;
  }
  const at = path.child("fieldPath");
  if (trimSpace(fieldPath) === "") {
    errors.invalid(at, fieldPath, "fieldPath must be non-empty if specified");
  }
  if (hasNewlines(fieldPath)) {
    errors.invalid(at, fieldPath, "fieldPath must not contain line breaks");
  }
  if (formProblem(schema) === undefined && normalFieldPath(fieldPath, schema) === undefined) {
    errors.invalid(at, fieldPath, "fieldPath must be a valid path");
  }
}

function hasNewlines(text: string): boolean {
  return /[\n\r]/.test(text);
}
