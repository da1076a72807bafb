import {
  checkAnnotationKey,
  checkLabelValue,
  checkQualifiedName,
  goQuote,
  type JsonObject,
  maxAnnotationBytes,
} from "@gatehouse/envelopes";
import type { FieldErrors } from "./field-errors.js";
import type { FieldPath } from "./field-path.js";
import { mapAsSent } from "./go/as-sent.js";
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

/** Returns a map of texts in `holder` as Go prints it: a map that was sent empty is not nil. */
export function goTextMapOf(holder: JsonObject, name: string): string {
  return goTextMap(mapAsSent(holder, name));
}

/** Returns a map of texts as Go prints it; an empty one differs from none. */
export function goTextMap(map: JsonObject | undefined): string {
  if (map === undefined) {
    return "map[string]string(nil)";
  }
  const entries = Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[string]string{${entries.map(([key, value]) => `${goQuote(key)}:${goQuote(String(value))}`).join(", ")}}`;
}
