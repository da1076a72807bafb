import { type FieldErrors, FieldPath, validateRequiredText } from "@gatehouse/apiserver/validation";
import { goSyntax, isSameState } from "@gatehouse/envelopes/go";
import {
  booleanAt,
  isSet,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  textAt,
  valueAt,
} from "@gatehouse/envelopes/json";
import { validateNodeSelector } from "../../../validation/node-selector.js";
import { validateCsiDriverName } from "../../../validation/volumes/csi.js";

const status = FieldPath.of("status");
const maxItems = 32;
const maxDataBytes = 16 * 1024;

/**
 * Validates the status of a claim: its allocation and consumers. A claim that is being deallocated or deleted gets no
 * new ones.
 */
export function validateClaimStatus(claim: JsonObject, old: JsonObject, errors: FieldErrors): void {
  errors.recheckMetadata("change");
  const driver = textAt(claim, "status", "driverName");
  const isAllocated = isSet(claim, "status", "allocation");
  if (driver !== "") {
    validateCsiDriverName(driver, status.child("driverName"), errors);
  } else if (isAllocated) {
    errors.required(status.child("driverName"), "must be specified when `allocation` is set");
  }
  validateAllocation(objectAt(claim, "status", "allocation"), status.child("allocation"), errors);
  validateConsumers(claim, status.child("reservedFor"), errors);
  validateReservation(claim, old, errors);
  const allocation = valueAt(claim, "status", "allocation");
  if (isAllocated && isSet(old, "status", "allocation") && !isSameAllocation(claim, old)) {
    errors.invalidShown(
      status.child("allocation"),
      goSyntax("k8s.io.api.resource.v1alpha2.AllocationResult", allocation),
      "field is immutable",
    );
  }
  validateDeallocation(claim, old, errors);
}

function validateAllocation(allocation: JsonObject, path: FieldPath, errors: FieldErrors): void {
  const handles = listAt(allocation, "resourceHandles");
  for (const [index, handle] of handles.entries()) {
    if (errors.isFull) {
      return;
    }
    const at = path.child("resourceHandles").index(index);
    validateCsiDriverName(textAt(handle, "driverName"), at.child("driverName"), errors);
    if (Buffer.byteLength(textAt(handle, "data")) > maxDataBytes) {
      errors.tooLongFor(at.child("data"), maxDataBytes);
    }
  }
  if (handles.length > maxItems) {
    errors.tooLongFor(path.child("resourceHandles"), maxItems);
  }
  if (isSet(allocation, "availableOnNodes")) {
    validateNodeSelector(allocation["availableOnNodes"], path.child("availableOnNodes"), errors);
  }
}

function validateConsumers(claim: JsonObject, path: FieldPath, errors: FieldErrors): void {
  const uids = new Set<string>();
  const consumers = listAt(claim, "status", "reservedFor");
  for (const [index, consumer] of consumers.entries()) {
    if (errors.isFull) {
      return;
    }
    const uid = textAt(consumer, "uid");
    if (uids.has(uid)) {
      errors.duplicate(path.index(index).child("uid"), uid);
    } else {
      for (const name of ["resource", "name", "uid"]) {
        validateRequiredText(textAt(consumer, name), path.index(index).child(name), errors);
      }
    }
    uids.add(uid);
  }
  if (consumers.length > maxItems) {
    errors.tooLongFor(path, maxItems);
  }
}

function validateReservation(claim: JsonObject, old: JsonObject, errors: FieldErrors): void {
  const path = status.child("reservedFor");
  const consumers = listAt(claim, "status", "reservedFor");
  if (consumers.length === 0) {
    return;
  }
  if (!isSet(claim, "status", "allocation")) {
    errors.forbidden(path, "may not be specified when `allocated` is not set");
    return;
  }
  if (!booleanAt(claim, "status", "allocation", "shareable") && consumers.length > 1) {
    errors.forbidden(path, "may not be reserved more than once");
  }
  if (isSet(claim, "metadata", "deletionTimestamp") || booleanAt(claim, "status", "deallocationRequested")) {
    const before = new Set(listAt(old, "status", "reservedFor").map(identity));
    if (consumers.some((consumer) => !before.has(identity(consumer)))) {
      const detail = "new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set";
      errors.forbidden(path, detail);
    }
  }
}

function validateDeallocation(claim: JsonObject, old: JsonObject, errors: FieldErrors): void {
  const path = status.child("deallocationRequested");
  const isRequested = booleanAt(claim, "status", "deallocationRequested");
  const wasRequested = booleanAt(old, "status", "deallocationRequested");
  const isAllocated = isSet(claim, "status", "allocation");
  if (!wasRequested && isRequested && listAt(claim, "status", "reservedFor").length > 0) {
    errors.forbidden(path, "deallocation cannot be requested while `reservedFor` is set");
  }
  if (!isAllocated && isRequested) {
    errors.forbidden(status, "`allocation` must be set when `deallocationRequested` is set");
  }
  if (wasRequested && !isRequested && isAllocated) {
    errors.forbidden(path, "may not be cleared when `allocation` is set");
  }
}

/** Reports whether the allocation is unchanged. An absent `shareable` equals false. */
function isSameAllocation(claim: JsonObject, old: JsonObject): boolean {
  const [a, b] = [objectAt(claim, "status", "allocation"), objectAt(old, "status", "allocation")];
  const isShared = booleanAt(a, "shareable");
  return isShared === booleanAt(b, "shareable") && isSameState({ ...a, shareable: true }, { ...b, shareable: true });
}

function identity(consumer: JsonValue): string {
  return JSON.stringify(["apiGroup", "resource", "name", "uid"].map((name) => textAt(consumer, name)));
}
