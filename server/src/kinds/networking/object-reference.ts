import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { checkFormat, checkRequiredText } from "@gatehouse/apiserver/validation";
import { checkDns1123Subdomain, checkPathSegmentName, isSet, type JsonObject, textAt } from "@gatehouse/envelopes";

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
