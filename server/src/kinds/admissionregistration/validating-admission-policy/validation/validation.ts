import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { isSet, type JsonValue, textAt } from "@gatehouse/envelopes/json";

const reasons = ["Forbidden", "Invalid", "RequestEntityTooLarge"];

/** Validates one validation of a policy: its expression, message and reason. */
export function validateValidation(validation: JsonValue, path: FieldPath, errors: FieldErrors): void {
  if (textAt(validation, "expression").trim() === "") {
    errors.required(path.child("expression"), "expression is not specified");
  }
  const messageExpression = textAt(validation, "messageExpression");
  if (messageExpression !== "" && messageExpression.trim() === "") {
    errors.invalid(path.child("messageExpression"), messageExpression, "must be non-empty if specified");
  }
  const message = textAt(validation, "message");
  if (message !== "" && message.trim() === "") {
    errors.invalid(path.child("message"), message, "message must be non-empty if specified");
  } else if (/[\n\r]/.test(message.trim())) {
    errors.invalid(path.child("message"), message, "message must not contain line breaks");
  }
  const reason = textAt(validation, "reason");
  if (isSet(validation, "reason") && !reasons.includes(reason)) {
    errors.notSupported(path.child("reason"), reason, reasons);
  }
}
