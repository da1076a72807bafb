import type { KindValidation } from "@gatehouse/apiserver/registry";
import {
  type FieldErrors,
  FieldPath,
  immutable,
  validateNonnegativeMembers,
  validateQualifiedText,
} from "@gatehouse/apiserver/validation";
import { goLiteral, goPointer, goQuote, goTexts, isSamePointer, isSameState } from "@gatehouse/envelopes/go";
import { type JsonObject, type JsonValue, listAt, objectAt, textAt, textsAt } from "@gatehouse/envelopes/json";
import { validateCsiDriverName } from "../../../validation/volumes/csi.js";

const driversPath = FieldPath.of("spec").child("drivers");
const maxNodeIdBytes = 256;

/** Rules of CSINode: its drivers, each once, whose members do not change. */
export const csiNodeValidation: KindValidation = {
  create: validateDrivers,
  update(node, old, errors) {
    // v1.29 validates the drivers twice.
    errors.recheckMetadata("object");
    validateDrivers(node, errors);
    errors.recheckMetadata("object");
    validateDrivers(node, errors);
    validateUnchanged(node, old, errors);
  },
};

function validateDrivers(node: JsonObject, errors: FieldErrors): void {
  const names = new Set<string>();
  for (const [index, driver] of listAt(node, "spec", "drivers").entries()) {
    if (errors.isFull) {
      return;
    }
    const path = driversPath.index(index);
    const name = textAt(driver, "name");
    validateCsiDriverName(name, path.child("name"), errors);
    validateNodeId(textAt(driver, "nodeID"), path.child("nodeID"), errors);
    validateNonnegativeMembers(objectAt(driver, "allocatable"), ["count"], path.child("allocatable"), errors);
    if (names.has(name)) {
      errors.duplicate(path.child("name"), name);
    }
    names.add(name);
    validateTopologyKeys(driver, path, errors);
  }
}

function validateNodeId(nodeId: string, path: FieldPath, errors: FieldErrors): void {
  if (nodeId === "") {
    errors.required(path);
  }
  if (Buffer.byteLength(nodeId) > maxNodeIdBytes) {
    errors.invalid(path, nodeId, `must be ${maxNodeIdBytes} characters or less`);
  }
}

/** Validates topology keys, with errors at the path of the driver itself. */
function validateTopologyKeys(driver: JsonValue, path: FieldPath, errors: FieldErrors): void {
  const keys = new Set<string>();
  for (const key of textsAt(driver, "topologyKeys")) {
    if (errors.isFull) {
      return;
    }
    if (key === "") {
      errors.required(path);
    }
    if (keys.has(key)) {
      errors.duplicate(path, key);
    }
    keys.add(key);
    validateQualifiedText(key, path, errors);
  }
}

/** Validates that a driver has not changed; drivers may be removed and added. */
function validateUnchanged(node: JsonObject, old: JsonObject, errors: FieldErrors): void {
  const byName = new Map<string, JsonObject[]>();
  for (const driver of listAt(node, "spec", "drivers")) {
    const name = textAt(driver, "name");
    byName.set(name, [...(byName.get(name) ?? []), objectAt(driver)].slice(0, 1000));
  }
  for (const oldDriver of listAt(old, "spec", "drivers")) {
    for (const driver of byName.get(textAt(oldDriver, "name")) ?? []) {
      if (!isSameDriver(driver, objectAt(oldDriver)) && !errors.isFull) {
        errors.invalidShown(FieldPath.of("CSINodeDriver"), goDriver(driver), immutable);
      }
    }
  }
}

function isSameDriver(a: JsonObject, b: JsonObject): boolean {
  return isSameState(a, b) && isSamePointer(a["allocatable"], b["allocatable"]);
}

function goDriver(driver: JsonObject): string {
  return goLiteral("storage.CSINodeDriver", {
    Name: goQuote(textAt(driver, "name")),
    NodeID: goQuote(textAt(driver, "nodeID")),
    TopologyKeys: goTexts("string", driver["topologyKeys"]),
    Allocatable: goPointer("storage.VolumeNodeResources", driver["allocatable"]),
  });
}
