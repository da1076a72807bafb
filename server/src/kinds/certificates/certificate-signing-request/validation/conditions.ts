import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { type JsonArray, type JsonObject, type JsonValue, listAt, textAt } from "@gatehouse/envelopes/json";

/** Types of conditions that stay true once they are set. */
export const finalConditions = ["Approved", "Denied", "Failed"];

/** Errors in the conditions of the stored request, which an update may keep. */
export interface ToleratedConditions {
  readonly bothApprovedAndDenied: boolean;
  readonly duplicateTypes: boolean;
  readonly emptyType: boolean;
}

/** Returns the errors that a request that replaces `old` may keep. */
export function toleratedConditions(old: JsonObject | undefined): ToleratedConditions {
  const types = listAt(old, "status", "conditions").map((condition) => textAt(condition, "type"));
  return {
    bothApprovedAndDenied: types.includes("Approved") && types.includes("Denied"),
    duplicateTypes: new Set(types).size < types.length,
    emptyType: types.includes(""),
  };
}

/** Validates the conditions of a request. */
export function validateRequestConditions(
  conditions: JsonArray,
  path: FieldPath,
  errors: FieldErrors,
  tolerated: ToleratedConditions,
): void {
  const seen = new Set<string>();
  for (const [index, condition] of conditions.entries()) {
    if (errors.isFull) {
      return;
    }
    const type = textAt(condition, "type");
    const at = path.index(index);
    if (type === "" && !tolerated.emptyType) {
      errors.required(at.child("type"));
    }
    validateStatus(condition, at.child("status"), errors);
    const opposite = opposites[type];
    if (opposite !== undefined && seen.has(opposite) && !tolerated.bothApprovedAndDenied) {
      errors.invalid(at.child("type"), type, "Approved and Denied conditions are mutually exclusive");
    }
    if (seen.has(type) && !tolerated.duplicateTypes) {
      errors.duplicate(at.child("type"), type);
    }
    seen.add(type);
  }
}

const opposites: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  Approved: "Denied",
  Denied: "Approved",
});

function validateStatus(condition: JsonValue, path: FieldPath, errors: FieldErrors): void {
  const status = textAt(condition, "status");
  const isFinal = finalConditions.includes(textAt(condition, "type"));
  const supported = isFinal ? ["True"] : ["False", "True", "Unknown"];
  if (status === "") {
    errors.required(path);
  } else if (!supported.includes(status)) {
    errors.notSupported(path, status, supported);
  }
}
