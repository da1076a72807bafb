import {
  type FieldErrors,
  type FieldPath,
  validateQualifiedText,
  validateRequiredText,
} from "@gatehouse/apiserver/validation";
import { type JsonArray, type JsonValue, textAt } from "@gatehouse/envelopes/json";

const maxConditions = 64;

/** Validates match conditions: expressions that a request must meet, each with a name of its own. */
export function validateMatchConditions(conditions: JsonArray, path: FieldPath, errors: FieldErrors): void {
  if (conditions.length > maxConditions) {
    errors.tooMany(path, conditions.length, maxConditions);
  }
  const names = new Set<string>();
  for (const [index, condition] of conditions.entries()) {
    if (errors.isFull) {
      return;
    }
    const at = path.index(index);
    validateCondition(condition, at, errors);
    const name = textAt(condition, "name");
    if (names.has(name)) {
      errors.duplicate(at.child("name"), name);
    }
    if (name !== "") {
      names.add(name);
    }
  }
}

function validateCondition(condition: JsonValue, path: FieldPath, errors: FieldErrors): void {
  if (textAt(condition, "expression").trim() === "") {
    errors.required(path.child("expression"));
  }
  const name = textAt(condition, "name");
  if (validateRequiredText(name, path.child("name"), errors)) {
    validateQualifiedText(name, path.child("name"), errors);
  }
}
