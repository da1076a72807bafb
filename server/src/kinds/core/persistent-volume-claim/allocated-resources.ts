import { type FieldErrors, FieldPath, validateBasicQuantity } from "@gatehouse/apiserver/validation";
import { type JsonObject, objectAt, textAt } from "@gatehouse/envelopes/json";
import { validateQualifiedName } from "@gatehouse/envelopes/validation";
import { isNativeResource } from "../../../validation/resource-names.js";

const statusPath = FieldPath.of("status");
const resizeStates = [
  "ControllerResizeFailed",
  "ControllerResizeInProgress",
  "NodeResizeFailed",
  "NodeResizeInProgress",
  "NodeResizePending",
];

/** Validates the resources allocated to a claim that is being expanded, and their states (KEP-1790). */
export function validateAllocatedResources(claim: JsonObject, errors: FieldErrors): void {
  const status = objectAt(claim, "status");
  const states = objectAt(status, "allocatedResourceStatuses");
  const statesPath = statusPath.child("allocatedResourceStatus");
  for (const resource of Object.keys(states)) {
    if (errors.isFull) {
      return;
    }
    validateResource(resource, statesPath, errors);
    if (!resizeStates.includes(textAt(states, resource))) {
      errors.notSupportedShown(statesPath, resource, resizeStates);
    }
  }
  const amounts = objectAt(status, "allocatedResources");
  const path = statusPath.child("allocatedResources");
  for (const resource of Object.keys(amounts)) {
    if (errors.isFull) {
      return;
    }
    if (validateResource(resource, path, errors)) {
      validateBasicQuantity(amounts[resource], path.key(resource), errors);
    }
  }
}

/** Validates the name of an allocated resource, of which only storage is native; returns whether it is valid. */
function validateResource(resource: string, path: FieldPath, errors: FieldErrors): boolean {
  const problems = validateQualifiedName(resource);
  if (problems.length > 0) {
    errors.invalidText(path, resource, problems);
    return false;
  }
  if (isNativeResource(resource) && resource !== "storage") {
    errors.notSupported(path, resource, ["storage"]);
    return false;
  }
  return true;
}
