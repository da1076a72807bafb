import { integerAt, isSet, type JsonArray, type JsonValue, textAt } from "@gatehouse/envelopes/json";
import type { FieldPath } from "@gatehouse/envelopes/validation";
import { validateQualifiedName } from "@gatehouse/envelopes/validation";
import type { FieldErrors } from "./field-errors.js";

const statuses = ["False", "True", "Unknown"];
const maxReasonBytes = 1024;
const maxMessageBytes = 32 * 1024;
const reason = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?";
const reasonPattern = new RegExp(`^${reason}$`);
const reasonProblem =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', " +
  "and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', " +
  `regex used for validation is '${reason}')`;

/** Validates conditions in the form that newer kinds share (metav1.Condition): complete, and one of each type. */
export function validateConditions(conditions: JsonArray, path: FieldPath, errors: FieldErrors): void {
  const types = new Set<string>();
  for (const [index, condition] of conditions.entries()) {
    if (errors.isFull) {
      return;
    }
    const at = path.index(index);
    const type = textAt(condition, "type");
    if (types.has(type)) {
      errors.duplicate(at.child("type"), type);
    }
    types.add(type);
    validateCondition(condition, at, errors);
  }
}

function validateCondition(condition: JsonValue, path: FieldPath, errors: FieldErrors): void {
  const type = textAt(condition, "type");
  for (const problem of validateQualifiedName(type)) {
    errors.invalid(path.child("type"), type, problem);
  }
  const status = textAt(condition, "status");
  if (!statuses.includes(status)) {
    errors.notSupported(path.child("status"), status, statuses);
  }
  const generation = integerAt(condition, "observedGeneration");
  if (generation < 0) {
    errors.invalid(path.child("observedGeneration"), generation, "must be greater than or equal to zero");
  }
  if (!isSet(condition, "lastTransitionTime")) {
    errors.required(path.child("lastTransitionTime"), "must be set");
  }
  validateReason(textAt(condition, "reason"), path.child("reason"), errors);
  if (Buffer.byteLength(textAt(condition, "message")) > maxMessageBytes) {
    errors.tooLong(path.child("message"), maxMessageBytes);
  }
}

function validateReason(value: string, path: FieldPath, errors: FieldErrors): void {
  if (value === "") {
    errors.required(path, "must be set");
    return;
  }
  if (!reasonPattern.test(value)) {
    errors.invalid(path, value, reasonProblem);
  }
  if (Buffer.byteLength(value) > maxReasonBytes) {
    errors.tooLong(path, maxReasonBytes);
  }
}
