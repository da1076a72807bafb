import { type FieldErrors, FieldPath, validateConditions, validateRequiredText } from "@gatehouse/apiserver/validation";
import { type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";

const status = FieldPath.of("status");

/** Validates the status of a policy: its conditions, and warnings about expressions with a field and a text each. */
export function validatePolicyStatus(policy: JsonObject, errors: FieldErrors): void {
  const warnings = status.child("typeChecking").child("expressionWarnings");
  for (const [index, warning] of listAt(policy, "status", "typeChecking", "expressionWarnings").entries()) {
    if (errors.isFull) {
      return;
    }
    const path = warnings.index(index);
    validateRequiredText(textAt(warning, "warning"), path.child("warning"), errors);
    validateRequiredText(textAt(warning, "fieldRef").trim(), path.child("fieldRef"), errors);
  }
  validateConditions(listAt(policy, "status", "conditions"), status.child("conditions"), errors);
}
