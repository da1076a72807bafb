import { isSameBySchema } from "@gatehouse/apiserver/objects";
import { type FieldErrors, FieldPath, immutable, quantityOf, validateImmutable } from "@gatehouse/apiserver/validation";
import { compareQuantity, copyJson } from "@gatehouse/envelopes/codec";
import { goDiff, isSamePointer } from "@gatehouse/envelopes/go";
import { isSet, type JsonObject, objectAt, textAt } from "@gatehouse/envelopes/json";
import { messageSchema } from "@gatehouse/envelopes/schema";
import { storageClassAnnotation } from "../storage-class-annotation.js";

const specMessage = "k8s.io.api.core.v1.PersistentVolumeClaimSpec";
const specPath = FieldPath.of("spec");
const sizePath = specPath.child("resources").child("requests").child("storage");
const attributesClassPath = specPath.child("volumeAttributesClassName");

/** Changes that features and the history of a claim allow. */
interface ChangeOptions {
  readonly hasAttributesClassFeature: boolean;
  readonly checksAttributesClass: boolean;
  readonly mayShrinkToCapacity: boolean;
}

/**
 * Validates an update. Only these members may change: volume and class, from unset; the class of attributes; and the
 * size of a bound claim, which may grow.
 */
export function validateUpdate(claim: JsonObject, old: JsonObject, errors: FieldErrors, options: ChangeOptions): void {
  const spec = objectAt(claim, "spec");
  const oldSpec = objectAt(old, "spec");
  const next = copyJson(spec) as JsonObject;
  const before = copyJson(oldSpec) as JsonObject;
  if (textAt(oldSpec, "volumeName") === "") {
    takeOver(before, next, "volumeName");
  }
  validateClass(claim, old, next, before, errors);
  const { requests } = objectAt(next, "resources");
  if (textAt(claim, "status", "phase") === "Bound" && isSet(requests)) {
    (requests as JsonObject)["storage"] = objectAt(oldSpec, "resources", "requests")["storage"] ?? "0";
  }
  takeOver(next, before, "volumeAttributesClassName");
  if (!isSameBySchema(messageSchema(specMessage), next, before)) {
    const diff = goDiff(specMessage, before, next);
    errors.forbidden(
      specPath,
      `spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n${diff}`,
    );
  }
  validateSizeUpdate(claim, old, errors, options);
  validateImmutable(spec["volumeMode"], oldSpec["volumeMode"], FieldPath.of("volumeMode"), errors);
  validateAttributesClassUpdate(spec, oldSpec, errors, options);
}

/** Validates the storage class: one that was named by the annotation, or not at all, may be named by the member. */
function validateClass(
  claim: JsonObject,
  old: JsonObject,
  next: JsonObject,
  before: JsonObject,
  errors: FieldErrors,
): void {
  const annotations = objectAt(claim, "metadata", "annotations");
  const oldAnnotations = objectAt(old, "metadata", "annotations");
  const annotated = textAt(oldAnnotations, storageClassAnnotation);
  const wasAnnotated = Object.hasOwn(oldAnnotations, storageClassAnnotation);
  const isNamedNow = isSet(next, "storageClassName") && !isSet(before, "storageClassName");
  const isSame = !wasAnnotated || textAt(next, "storageClassName") === annotated;
  const keepsAnnotation =
    !Object.hasOwn(annotations, storageClassAnnotation) || textAt(annotations, storageClassAnnotation) === annotated;
  if (wasAnnotated && isNamedNow && isSame && keepsAnnotation) {
    delete next["storageClassName"];
    return;
  }
  if (textAt(annotations, storageClassAnnotation) !== annotated) {
    const path = FieldPath.of("metadata").child("annotations").child(storageClassAnnotation);
    errors.invalid(path, textAt(annotations, storageClassAnnotation), immutable);
  }
  if (isNamedNow && isSame) {
    takeOver(next, before, "storageClassName");
  }
}

function validateSizeUpdate(claim: JsonObject, old: JsonObject, errors: FieldErrors, options: ChangeOptions): void {
  const sizeOf = (object: JsonObject): JsonObject => objectAt(object, "spec", "resources", "requests");
  const size = quantityOf(sizeOf(claim)["storage"]);
  if (compareQuantity(size, quantityOf(sizeOf(old)["storage"])) >= 0) {
    return;
  }
  if (!options.mayShrinkToCapacity) {
    errors.forbidden(sizePath, "field can not be less than previous value");
  } else if (compareQuantity(size, quantityOf(objectAt(old, "status", "capacity")["storage"])) <= 0) {
    errors.forbidden(sizePath, "field can not be less than status.capacity");
  }
}

function validateAttributesClassUpdate(
  spec: JsonObject,
  oldSpec: JsonObject,
  errors: FieldErrors,
  options: ChangeOptions,
): void {
  const member = "volumeAttributesClassName";
  if (isSamePointer(spec[member], oldSpec[member])) {
    return;
  }
  if (!options.hasAttributesClassFeature) {
    const detail = "update is forbidden when the VolumeAttributesClass feature gate is disabled";
    errors.forbidden(attributesClassPath, detail);
  }
  if (options.checksAttributesClass && isSet(oldSpec, member)) {
    if (!isSet(spec, member)) {
      errors.forbidden(attributesClassPath, "update from non-nil value to nil is forbidden");
    } else if (textAt(spec, member) === "") {
      errors.forbidden(attributesClassPath, "update from non-nil value to an empty string is forbidden");
    }
  }
}

/** Copies a member, present or absent, so that a comparison ignores it. */
function takeOver(to: JsonObject, from: JsonObject, member: string): void {
  if (from[member] === undefined) {
    delete to[member];
  } else {
    to[member] = from[member];
  }
}
