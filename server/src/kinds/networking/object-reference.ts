import {
  type FieldErrors,
  type FieldPath,
  validateFormat,
  validateRequiredText,
} from "@gatehouse/apiserver/validation";
import { isSet, type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { validateDns1123Subdomain, validatePathSegmentName } from "@gatehouse/envelopes/validation";

/** Validates a reference to an object of any kind, which need not exist: kind and name are required. */
export function validateTypedReference(reference: JsonObject, path: FieldPath, errors: FieldErrors): void {
  if (isSet(reference, "apiGroup")) {
    validateFormat(textAt(reference, "apiGroup"), validateDns1123Subdomain, path.child("apiGroup"), errors);
  }
  for (const member of ["kind", "name"]) {
    const text = textAt(reference, member);
    if (validateRequiredText(text, path.child(member), errors, `${member} is required`)) {
      validateFormat(text, validatePathSegmentName, path.child(member), errors);
    }
  }
}
