import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";

/** A JSON path that is not empty; of its form nothing but the beginning is looked at. False when it is wrong. */
export function checkSimpleJsonPath(jsonPath: string, path: FieldPath, errors: FieldErrors): boolean {
  if (!jsonPath.startsWith(".")) {
    errors.invalid(path, jsonPath, "must be a simple json path starting with .");
    return false;
  }
  return true;
}
