import type { JsonObject } from "@gatehouse/envelopes/json";
import {
  checkAnnotationKey,
  checkLabelValue,
  checkQualifiedName,
  maxAnnotationBytes,
} from "@gatehouse/envelopes/validation";
import type { FieldErrors } from "./field-errors.js";
import type { FieldPath } from "./field-path.js";
import { checkFormat } from "./names.js";

/** Validates the keys and values of labels, with all errors at the path of the map itself. */
export function checkLabels(labels: JsonObject, path: FieldPath, errors: FieldErrors): void {
  for (const key in labels) {
    if (errors.isFull) {
      return;
    }
    checkFormat(key, checkQualifiedName, path, errors);
    checkFormat(String(labels[key]), checkLabelValue, path, errors);
  }
}

/** Validates the keys of annotations, and the size of all together. */
export function checkAnnotations(annotations: JsonObject, path: FieldPath, errors: FieldErrors): void {
  let bytes = 0;
  for (const key in annotations) {
    bytes += Buffer.byteLength(key) + Buffer.byteLength(String(annotations[key]));
    if (!errors.isFull) {
      checkFormat(key, checkAnnotationKey, path, errors);
    }
  }
  if (bytes > maxAnnotationBytes) {
    errors.tooLong(path, maxAnnotationBytes);
  }
}
