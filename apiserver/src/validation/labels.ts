import {
  checkAnnotationKey,
  checkLabelValue,
  checkQualifiedName,
  goQuote,
  type JsonObject,
  maxAnnotationBytes,
} from "@gatehouse/envelopes";
import { mapAsSent } from "../go/as-sent.js";
import type { FieldErrors } from "./field-errors.js";
import type { FieldPath } from "./field-path.js";
import { checkFormat } from "./names.js";

/** Keys and values of labels, all told at the map itself. */
export function checkLabels(labels: JsonObject, path: FieldPath, errors: FieldErrors): void {
  for (const key in labels) {
    if (errors.isFull) {
      return;
    }
    checkFormat(key, checkQualifiedName, path, errors);
    checkFormat(String(labels[key]), checkLabelValue, path, errors);
  }
}

/** Keys of annotations, and the size of all together. */
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

/** A member that is a map of texts as Go prints it: one that was sent empty is not nil. */
export function goTextMapOf(holder: JsonObject, name: string): string {
  return goTextMap(mapAsSent(holder, name));
}

/** A map of texts as Go prints it; an empty one is not the same as none. */
export function goTextMap(map: JsonObject | undefined): string {
  if (map === undefined) {
    return "map[string]string(nil)";
  }
  const entries = Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[string]string{${entries.map(([key, value]) => `${goQuote(key)}:${goQuote(String(value))}`).join(", ")}}`;
}
