import { type FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";

const conditions = FieldPath.of("status").child("conditions");

/** Validates the conditions of both kinds: each has a type, and no two have the same. */
export function validateFlowConditions(object: JsonObject, errors: FieldErrors): void {
  const types = new Set<string>();
  for (const [index, condition] of listAt(object, "status", "conditions").entries()) {
    if (errors.isFull) {
      return;
    }
    const path = conditions.index(index).child("type");
    const type = textAt(condition, "type");
    if (types.has(type)) {
      errors.duplicate(path, type);
    }
    types.add(type);
    if (type === "") {
      errors.required(path, "must not be empty");
    }
  }
}
