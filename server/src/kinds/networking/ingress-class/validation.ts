import type { KindValidation } from "@gatehouse/apiserver/registry";
import {
  type FieldErrors,
  FieldPath,
  validateDomainPrefixedPath,
  validateFormat,
  validateImmutable,
} from "@gatehouse/apiserver/validation";
import { isSet, type JsonObject, objectAt, textAt } from "@gatehouse/envelopes/json";
import { validateDns1123Label } from "@gatehouse/envelopes/validation";
import { validateTypedReference } from "../object-reference.js";

const controllerPath = FieldPath.of("spec").child("controller");
const parametersPath = FieldPath.of("spec").child("parameters");
const maxControllerBytes = 250;

/** Rules of IngressClass, whose controller does not change. */
export const ingressClassValidation: KindValidation = {
  create: validateSpec,
  update(ingressClass, old, errors) {
    errors.recheckMetadata("change");
    const controller = textAt(ingressClass, "spec", "controller");
    validateImmutable(controller, textAt(old, "spec", "controller"), controllerPath, errors);
    errors.recheckMetadata("object");
    validateSpec(ingressClass, errors);
  },
};

function validateSpec(ingressClass: JsonObject, errors: FieldErrors): void {
  const controller = textAt(ingressClass, "spec", "controller");
  if (Buffer.byteLength(controller) > maxControllerBytes) {
    errors.tooLong(controllerPath, maxControllerBytes);
  }
  validateDomainPrefixedPath(controller, controllerPath, errors);
  if (isSet(ingressClass, "spec", "parameters")) {
    validateParameters(objectAt(ingressClass, "spec", "parameters"), errors);
  }
}

function validateParameters(parameters: JsonObject, errors: FieldErrors): void {
  validateTypedReference(parameters, parametersPath, errors);
  if (!isSet(parameters, "scope")) {
    errors.required(parametersPath.child("scope"));
    return;
  }
  const scope = textAt(parameters, "scope");
  const path = parametersPath.child("namespace");
  const hasNamespace = isSet(parameters, "namespace");
  if (scope === "Namespace") {
    if (hasNamespace) {
      validateFormat(textAt(parameters, "namespace"), validateDns1123Label, path, errors);
    } else {
      errors.required(path, "`parameters.scope` is set to 'Namespace'");
    }
  } else if (scope !== "Cluster") {
    errors.notSupported(parametersPath.child("scope"), scope, ["Cluster", "Namespace"]);
  } else if (hasNamespace) {
    errors.forbidden(path, "`parameters.scope` is set to 'Cluster'");
  }
}
