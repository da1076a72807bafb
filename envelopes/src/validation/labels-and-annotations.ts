import { isJsonObject, type JsonValue } from "../json/json.js";
import { type FieldError, fieldError, hasEnoughErrors } from "../status/field-error.js";
import { validateAnnotationKey, validateLabelValue, validateQualifiedName } from "./names.js";

/** The limit of an object's annotations in bytes, keys and values together. */
export const maxAnnotationBytes = 256 * 1024;

/** Checks keys and values of a label map. */
export function validateLabels(labels: JsonValue | undefined, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const map = isJsonObject(labels) ? labels : {};
  for (const key in map) {
    if (hasEnoughErrors(errors)) {
      break;
    }
    const value = textOf(map[key]);
    for (const problem of validateQualifiedName(key)) {
      errors.push(fieldError.invalid(field, key, problem));
    }
    for (const problem of validateLabelValue(value)) {
      errors.push(fieldError.invalid(field, value, problem));
    }
  }
  return errors;
}

/** Checks the keys of an annotation map, and its size. */
export function validateAnnotations(annotations: JsonValue | undefined, field: string): FieldError[] {
  const errors: FieldError[] = [];
  let bytes = 0;
  const map = isJsonObject(annotations) ? annotations : {};
  for (const key in map) {
    bytes += Buffer.byteLength(key) + Buffer.byteLength(textOf(map[key]));
    for (const problem of hasEnoughErrors(errors) ? [] : validateAnnotationKey(key)) {
      errors.push(fieldError.invalid(field, key, problem));
    }
  }
  if (bytes > maxAnnotationBytes) {
    errors.push(fieldError.tooLong(field, maxAnnotationBytes));
  }
  return errors;
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
