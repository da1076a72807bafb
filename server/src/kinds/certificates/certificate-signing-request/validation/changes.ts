import { type FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { goQuote, isSameState } from "@gatehouse/envelopes/go";
import { type JsonArray, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { finalConditions } from "./conditions.js";

const conditionsPath = FieldPath.of("status").child("conditions");
const certificatePath = FieldPath.of("status").child("certificate");

/** The changes that a subresource allows beyond those of an ordinary update. */
export interface ChangeRights {
  /** Set if the Approved and Denied conditions may change. */
  readonly mayApprove?: boolean;
  /** Set if the certificate may be set, once. */
  readonly mayCertify?: boolean;
}

/**
 * Validates an update: final conditions stay, and approval and certificate are written through subresources of their
 * own.
 */
export function validateStatusUpdate(
  request: JsonObject,
  old: JsonObject,
  errors: FieldErrors,
  rights: ChangeRights,
): void {
  for (const type of finalConditions) {
    if (ofType(request, type).length < ofType(old, type).length) {
      errors.forbidden(conditionsPath, `updates may not remove a condition of type ${goQuote(type)}`);
    }
  }
  for (const type of rights.mayApprove ? [] : ["Approved", "Denied"]) {
    validateUnchanged(type, ofType(request, type), ofType(old, type), errors);
  }
  const before = textAt(old, "status", "certificate");
  if (textAt(request, "status", "certificate") === before) {
    return;
  }
  if (!rights.mayCertify) {
    errors.forbidden(certificatePath, "updates may not set certificate content");
  } else if (before !== "") {
    errors.forbidden(certificatePath, "updates may not modify existing certificate content");
  }
}

function validateUnchanged(type: string, conditions: JsonArray, before: JsonArray, errors: FieldErrors): void {
  if (conditions.length > before.length) {
    errors.forbidden(conditionsPath, `updates may not add a condition of type ${goQuote(type)}`);
  } else if (conditions.length === before.length && !isSameState(conditions, before)) {
    errors.forbidden(conditionsPath, `updates may not modify a condition of type ${goQuote(type)}\n`);
  }
}

function ofType(request: JsonObject, type: string): JsonArray {
  return listAt(request, "status", "conditions").filter((condition) => textAt(condition, "type") === type);
}
