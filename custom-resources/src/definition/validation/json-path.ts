import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";

/** Validates that a JSON path starts with a dot, nothing more. Returns false if it does not. */
export function validateSimpleJsonPath(jsonPath: string, path: FieldPath, errors: FieldErrors): boolean {
  if (!jsonPath.startsWith(".")) {
    errors.invalid(path, jsonPath, "must be a simple json path starting with .");
    return false;
  }
  return true;
}
