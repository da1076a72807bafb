import {
  type FieldErrors,
  type FieldPath,
  validateFormat,
  validateRequiredText,
} from "@gatehouse/apiserver/validation";
import { integerAt, isSet, type JsonObject, objectAt, textAt } from "@gatehouse/envelopes/json";
import { validateDns1035Label } from "@gatehouse/envelopes/validation";
import { portNameProblems, validatePortNumber } from "../../../validation/ports.js";
import { validateTypedReference } from "../object-reference.js";

/** Validates a backend: a port of a service, or an object of a kind that the controller knows. */
export function validateIngressBackend(backend: JsonObject, path: FieldPath, errors: FieldErrors): void {
  const isResource = isSet(backend, "resource");
  const isService = isSet(backend, "service");
  if (isResource && isService) {
    errors.invalid(path, "", "cannot set both resource and service backends");
  } else if (isResource) {
    validateTypedReference(objectAt(backend, "resource"), path.child("resource"), errors);
  } else if (isService) {
    validateService(objectAt(backend, "service"), path, errors);
  } else {
    errors.invalid(path, "", "resource or service backend is required");
  }
}

/** Validates a service backend: a name, and a port by name or number. */
function validateService(service: JsonObject, path: FieldPath, errors: FieldErrors): void {
  const servicePath = path.child("service");
  const name = textAt(service, "name");
  if (validateRequiredText(name, servicePath.child("name"), errors)) {
    validateFormat(name, validateDns1035Label, servicePath.child("name"), errors);
  }
  const portName = textAt(service, "port", "name");
  const number = integerAt(service, "port", "number");
  const hasNumber = number !== 0 && number !== 0n;
  const portPath = servicePath.child("port");
  if (portName !== "" && hasNumber) {
    errors.invalid(path, "", "cannot set both port name & port number");
  } else if (portName !== "") {
    validateFormat(portName, portNameProblems, portPath.child("name"), errors);
  } else if (hasNumber) {
    validatePortNumber(number, portPath.child("number"), errors);
  } else {
    errors.required(path, "port name or number is required");
  }
}
