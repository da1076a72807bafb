import { goPointer, goStruct } from "@gatehouse/apiserver/go";
import {
  checkFormat,
  checkRequiredText,
  checkSupported,
  type FieldErrors,
  type FieldPath,
} from "@gatehouse/apiserver/validation";
import { isSet, type JsonValue, textAt, valueAt } from "@gatehouse/envelopes/json";
import { goQuote } from "@gatehouse/envelopes/status";
import { checkSubdomainName } from "@gatehouse/envelopes/validation";

const allocationModes = ["Immediate", "WaitForFirstConsumer"];

/** Validates the ResourceClaimSpec of a claim or of a template of claims. */
export function checkClaimSpec(spec: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  checkFormat(textAt(spec, "resourceClassName"), checkSubdomainName, path.child("resourceClassName"), errors);
  checkParametersReference(spec, path.child("parametersRef"), errors);
  checkSupported(textAt(spec, "allocationMode"), allocationModes, path.child("allocationMode"), errors);
}

/** Validates the reference of a claim or class to parameters, if any: kind and name are required. */
export function checkParametersReference(holder: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  if (isSet(holder, "parametersRef")) {
    for (const name of ["kind", "name"]) {
      checkRequiredText(textAt(holder, "parametersRef", name), path.child(name), errors);
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
