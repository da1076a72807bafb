import { isJsonObject, type JsonValue } from "../json.js";
import { type FieldError, fieldError, hasEnoughErrors } from "../status/field-error.js";
import { checkAnnotationKey, checkLabelValue, checkQualifiedName } from "./names.js";

/** All keys and values of an object's annotations together may have this many bytes. */
export const maxAnnotationBytes = 256 * 1024;

/** Checks keys and values of a label map. */
export function validateLabels(labels: JsonValue | undefined, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of members(labels)) {
    if (hasEnoughErrors(errors)) {
      break;
    }
    for (const problem of checkQualifiedName(key)) {
      errors.push(fieldError.invalid(field, key, problem));
    }
    for (const problem of checkLabelValue(value)) {
      errors.push(fieldError.invalid(field, value, problem));
    }
  }
  return errors;
}

/** Checks the keys of an annotation map, and its size. */
export function validateAnnotations(annotations: JsonValue | undefined, field: string): FieldError[] {
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const [key, value] of members(annotations)) {
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
    for (const problem of hasEnoughErrors(errors) ? [] : checkAnnotationKey(key)) {
      errors.push(fieldError.invalid(field, key, problem));
    }
  }
  if (bytes > maxAnnotationBytes) {
    errors.push(fieldError.tooLong(field, maxAnnotationBytes));
  }
  return errors;
}

function* members(map: JsonValue | undefined): Generator<readonly [key: string, value: string]> {
  if (!isJsonObject(map)) {
    return;
  }
  for (const key in map) {
    const value = map[key];
    yield [key, typeof value === "string" ? value : ""];
  }
}
