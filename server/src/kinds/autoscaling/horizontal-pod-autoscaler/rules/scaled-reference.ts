import { checkFormat, checkRequiredText, type FieldErrors, type FieldPath } from "@gatehouse/apiserver/validation";
import { type JsonValue, textAt } from "@gatehouse/envelopes/json";
import { checkPathSegmentName } from "@gatehouse/envelopes/validation";

/** Validates a reference to a scaled or measured object (CrossVersionObjectReference). */
export function checkScaledReference(reference: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  for (const name of ["kind", "name"]) {
    checkRequiredSegment(textAt(reference, name), path.child(name), errors);
  }
}

/** Validates a name that is not empty and can be a segment of a URL path. */
export function checkRequiredSegment(text: string, path: FieldPath, errors: FieldErrors, detail = ""): void {
  if (checkRequiredText(text, path, errors, detail)) {
    checkFormat(text, checkPathSegmentName, path, errors);
  }
}
