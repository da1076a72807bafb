import type { KindRules } from "@gatehouse/apiserver/registry";
import {
  checkDomainPrefixedPath,
  checkFormat,
  checkImmutable,
  type FieldErrors,
  FieldPath,
} from "@gatehouse/apiserver/validation";
import { isSet, type JsonObject, objectAt, textAt } from "@gatehouse/envelopes/json";
import { checkDns1123Label } from "@gatehouse/envelopes/validation";
import { checkTypedReference } from "../object-reference.js";

const controllerPath = FieldPath.of("spec").child("controller");
const parametersPath = FieldPath.of("spec").child("parameters");
const maxControllerBytes = 250;

/** Rules of IngressClass, whose controller does not change. */
export const ingressClassRules: KindRules = {
  create: checkSpec,
  update(ingressClass, old, errors) {
    errors.recheckMetadata("change");
    const controller = textAt(ingressClass, "spec", "controller");
    checkImmutable(controller, textAt(old, "spec", "controller"), controllerPath, errors);
    errors.recheckMetadata("object");
    checkSpec(ingressClass, errors);
  },
};

function checkSpec(ingressClass: JsonObject, errors: FieldErrors): void {
  const controller = textAt(ingressClass, "spec", "controller");
  if (Buffer.byteLength(controller) > maxControllerBytes) {
    errors.tooLong(controllerPath, maxControllerBytes);
  }
  checkDomainPrefixedPath(controller, controllerPath, errors);
  if (isSet(ingressClass, "spec", "parameters")) {
    checkParameters(objectAt(ingressClass, "spec", "parameters"), errors);
  }
}

function checkParameters(parameters: JsonObject, errors: FieldErrors): void {
  checkTypedReference(parameters, parametersPath, errors);
  if (!isSet(parameters, "scope")) {
    errors.required(parametersPath.child("scope"));
    return;
  }
  const scope = textAt(parameters, "scope");
  const path = parametersPath.child("namespace");
  const hasNamespace = isSet(parameters, "namespace");
  if (scope === "Namespace") {
    if (hasNamespace) {
      checkFormat(textAt(parameters, "namespace"), checkDns1123Label, path, errors);
    } else {
      errors.required(path, "`parameters.scope` is set to 'Namespace'");
    }
  } else if (scope !== "Cluster") {
    errors.notSupported(parametersPath.child("scope"), scope, ["Cluster", "Namespace"]);
  } else if (hasNamespace) {
    errors.forbidden(path, "`parameters.scope` is set to 'Cluster'");
  }
}
