import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { isSet, type JsonValue, textAt } from "@gatehouse/envelopes/json";

/** Validates that a secret reference, if set, has all of the members given. */
export function validateSecretReference(
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
