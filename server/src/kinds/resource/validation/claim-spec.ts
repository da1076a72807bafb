import { goPointer, goStruct } from "@gatehouse/apiserver/go";
import {
  type FieldErrors,
  type FieldPath,
  validateFormat,
  validateRequiredText,
  validateSupported,
} from "@gatehouse/apiserver/validation";
import { isSet, type JsonValue, textAt, valueAt } from "@gatehouse/envelopes/json";
import { goQuote } from "@gatehouse/envelopes/status";
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

/** Returns the `spec` of a claim as Go prints it. */
export function goClaimSpec(spec: JsonValue | undefined): string {
  return goStruct("resource.ResourceClaimSpec", {
    ResourceClassName: goQuote(textAt(spec, "resourceClassName")),
    ParametersRef: goPointer("resource.ResourceClaimParametersReference", valueAt(spec, "parametersRef")),
    AllocationMode: goQuote(textAt(spec, "allocationMode")),
  });
}
