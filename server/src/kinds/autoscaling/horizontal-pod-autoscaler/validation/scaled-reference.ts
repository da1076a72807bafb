import {
  type FieldErrors,
  type FieldPath,
  validateFormat,
  validateRequiredText,
} from "@gatehouse/apiserver/validation";
import { type JsonValue, textAt } from "@gatehouse/envelopes/json";
import { validatePathSegmentName } from "@gatehouse/envelopes/validation";

/** Validates a reference to a scaled or measured object (CrossVersionObjectReference). */
export function validateScaledReference(reference: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  for (const name of ["kind", "name"]) {
    validateRequiredSegment(textAt(reference, name), path.child(name), errors);
  }
}

/** Validates a name that is not empty and can be a segment of a URL path. */
export function validateRequiredSegment(text: string, path: FieldPath, errors: FieldErrors, detail = ""): void {
  if (validateRequiredText(text, path, errors, detail)) {
    validateFormat(text, validatePathSegmentName, path, errors);
  }
}
