import type { JsonObject } from "@gatehouse/envelopes/json";
import type { FieldPath } from "@gatehouse/envelopes/validation";
import {
  maxAnnotationBytes,
  validateAnnotationKey,
  validateLabelValue,
  validateQualifiedName,
} from "@gatehouse/envelopes/validation";
import type { FieldErrors } from "./field-errors.js";
import { validateFormat } from "./names.js";

/** Validates the keys and values of labels, with all errors at the path of the map itself. */
export function validateLabels(labels: JsonObject, path: FieldPath, errors: FieldErrors): void {
  for (const key in labels) {
    if (errors.isFull) {
      return;
    }
    validateFormat(key, validateQualifiedName, path, errors);
    validateFormat(String(labels[key]), validateLabelValue, path, errors);
  }
}

/** Validates the keys of annotations, and the size of all together. */
export function validateAnnotations(annotations: JsonObject, path: FieldPath, errors: FieldErrors): void {
  let bytes = 0;
  for (const key in annotations) {
    bytes += Buffer.byteLength(key) + Buffer.byteLength(String(annotations[key]));
    if (!errors.isFull) {
      validateFormat(key, validateAnnotationKey, path, errors);
    }
  }
  if (bytes > maxAnnotationBytes) {
    errors.tooLong(path, maxAnnotationBytes);
  }
}
