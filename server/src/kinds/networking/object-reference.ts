import { checkFormat, checkRequiredText, type FieldErrors, type FieldPath } from "@gatehouse/apiserver/validation";
import { isSet, type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { checkDns1123Subdomain, checkPathSegmentName } from "@gatehouse/envelopes/validation";

/** Validates a reference to an object of any kind, which need not exist: kind and name are required. */
export function checkTypedReference(reference: JsonObject, path: FieldPath, errors: FieldErrors): void {
  if (isSet(reference, "apiGroup")) {
    checkFormat(textAt(reference, "apiGroup"), checkDns1123Subdomain, path.child("apiGroup"), errors);
  }
  for (const member of ["kind", "name"]) {
    const text = textAt(reference, member);
    if (checkRequiredText(text, path.child(member), errors, `${member} is required`)) {
      checkFormat(text, checkPathSegmentName, path.child(member), errors);
    }
  }
}
