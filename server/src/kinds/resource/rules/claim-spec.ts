import { goPointer, goStruct } from "@gatehouse/apiserver/go";
import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { checkFormat, checkRequiredText, checkSupported } from "@gatehouse/apiserver/validation";
import { checkSubdomainName, goQuote, isSet, type JsonValue, textAt, valueAt } from "@gatehouse/envelopes";

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
