import { isSet, type JsonArray, type JsonObject, objectAt, textAt } from "@gatehouse/envelopes/json";
import { storageClassAnnotation } from "./storage-class-annotation.js";

/** Returns the cell of the Status column. */
export function phase(object: JsonObject): string {
  return isSet(object, "metadata", "deletionTimestamp") ? "Terminating" : textAt(object, "status", "phase");
}

/** Returns the name of the storage class; empty when there is none. */
export function storageClass(object: JsonObject): string {
  const annotations = objectAt(object, "metadata", "annotations");
  return Object.hasOwn(annotations, storageClassAnnotation)
    ? textAt(annotations, storageClassAnnotation)
    : textAt(object, "spec", "storageClassName");
}

const accessModeTexts: readonly (readonly [string, string])[] = [
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
];

/** Returns access modes in their short forms: `RWO,ROX`. */
export function accessModes(modes: JsonArray): string {
  return accessModeTexts
    .filter(([mode]) => modes.includes(mode))
    .map(([, text]) => text)
    .join(",");
}
