import {
  type FieldErrors,
  type FieldPath,
  validateFormat,
  validateRequiredText,
  validateSupported,
} from "@gatehouse/apiserver/validation";
import { isSet, type JsonValue, textAt } from "@gatehouse/envelopes/json";
import { validateSubdomainName } from "@gatehouse/envelopes/validation";

const allocationModes = ["Immediate", "WaitForFirstConsumer"];

/** Validates the ResourceClaimSpec of a claim or of a template of claims. */
export function validateClaimSpec(spec: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  validateFormat(textAt(spec, "resourceClassName"), validateSubdomainName, path.child("resourceClassName"), errors);
  validateParametersReference(spec, path.child("parametersRef"), errors);
  validateSupported(textAt(spec, "allocationMode"), allocationModes, path.child("allocationMode"), errors);
}

/** Validates the reference of a claim or class to parameters, if any: kind and name are required. */
export function validateParametersReference(holder: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  if (isSet(holder, "parametersRef")) {
    for (const name of ["kind", "name"]) {
      validateRequiredText(textAt(holder, "parametersRef", name), path.child(name), errors);
    }
  }
}
