import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";

/** Validates that a path has no `..` in it. */
export function validateNoBacksteps(file: string, path: FieldPath, errors: FieldErrors): void {
  if (hasBacksteps(file)) {
    errors.invalid(path, file, "must not contain '..'");
  }
}

/** Reports whether a step of the path is `..`. */
export function hasBacksteps(file: string): boolean {
  return file.includes("..") && file.split("/").includes("..");
}

/** Validates a relative path that leads downwards only. */
export function validateDescendingPath(file: string, path: FieldPath, errors: FieldErrors): void {
  if (file.startsWith("/")) {
    errors.invalid(path, file, "must be a relative path");
  }
  validateNoBacksteps(file, path, errors);
}

/** Validates a relative path that leads downwards and whose name is not one of those that volumes use themselves. */
export function validateNonReservedPath(file: string, path: FieldPath, errors: FieldErrors): void {
  validateDescendingPath(file, path, errors);
  if (file.startsWith("..") && !file.startsWith("../")) {
    errors.invalid(path, file, "must not start with '..'");
  }
}
