import { checkConditions, checkRequiredText, type FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";

const status = FieldPath.of("status");

/** Validates the status of a policy: its conditions, and warnings about expressions with a field and a text each. */
export function checkPolicyStatus(policy: JsonObject, errors: FieldErrors): void {
  const warnings = status.child("typeChecking").child("expressionWarnings");
  for (const [index, warning] of listAt(policy, "status", "typeChecking", "expressionWarnings").entries()) {
    if (errors.isFull) {
      return;
    }
    const path = warnings.index(index);
    checkRequiredText(textAt(warning, "warning"), path.child("warning"), errors);
    checkRequiredText(textAt(warning, "fieldRef").trim(), path.child("fieldRef"), errors);
  }
  checkConditions(listAt(policy, "status", "conditions"), status.child("conditions"), errors);
}
