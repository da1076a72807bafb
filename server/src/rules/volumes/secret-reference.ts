import { isSet, type JsonValue, textAt } from "@gatehouse/envelopes";
import type { FieldErrors } from "../field-errors.js";
import type { FieldPath } from "../field-path.js";

/** Validates that a secret reference, if set, has all of the members given. */
export function checkSecretReference(
  source: JsonValue | undefined,
  members: readonly string[],
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (!isSet(source, "secretRef")) {
    return;
  }
  for (const name of members) {
    if (textAt(source, "secretRef", name) === "") {
      errors.required(path.child("secretRef").child(name));
    }
  }
}
