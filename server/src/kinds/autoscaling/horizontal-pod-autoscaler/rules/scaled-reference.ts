import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { checkFormat, checkRequiredText } from "@gatehouse/apiserver/validation";
import { checkPathSegmentName, type JsonValue, textAt } from "@gatehouse/envelopes";

/** A reference to what is scaled or measured (CrossVersionObjectReference). */
export function checkScaledReference(reference: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  for (const name of ["kind", "name"]) {
    checkRequiredSegment(textAt(reference, name), path.child(name), errors);
  }
}

/** A name that could stand in a URL, and may not be left out. */
export function checkRequiredSegment(text: string, path: FieldPath, errors: FieldErrors, detail = ""): void {
  if (checkRequiredText(text, path, errors, detail)) {
    checkFormat(text, checkPathSegmentName, path, errors);
  }
}
