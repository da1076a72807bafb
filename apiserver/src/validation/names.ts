import {
  checkDns1123Label,
  checkDns1123Subdomain,
  checkQualifiedName,
  type NameCheck,
  type ValueCheck,
} from "@gatehouse/envelopes/validation";
import type { FieldErrors } from "./field-errors.js";
import type { FieldPath } from "./field-path.js";

/** Validates a text with `problemsOf`, which returns its problems. */
export function checkFormat(
  text: string,
  problemsOf: ValueCheck | NameCheck,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const problems = problemsOf(text);
  if (problems.length > 0) {
    errors.invalidText(path, text, problems);
  }
}

/** Validates an RFC 1123 label. */
export function checkLabelText(text: string, path: FieldPath, errors: FieldErrors): void {
  checkFormat(text, checkDns1123Label, path, errors);
}

/** Validates an RFC 1123 subdomain, as most names of objects are. */
export function checkSubdomainText(text: string, path: FieldPath, errors: FieldErrors): void {
  checkFormat(text, checkDns1123Subdomain, path, errors);
}

/** Validates a qualified name: `name` or `subdomain.prefix/name`. */
export function checkQualifiedText(text: string, path: FieldPath, errors: FieldErrors): void {
  checkFormat(text, checkQualifiedName, path, errors);
}

/** Validates that a text is not empty; returns whether it is not. */
export function checkRequiredText(text: string, path: FieldPath, errors: FieldErrors, detail = ""): boolean {
  if (text === "") {
    errors.required(path, detail);
    return false;
  }
  return true;
}

/** Validates that a text is in a closed set, which errors show in the order given. */
export function checkSupported(text: string, supported: readonly string[], path: FieldPath, errors: FieldErrors): void {
  if (!supported.includes(text)) {
    errors.notSupported(path, text, supported);
  }
}

/** Validates that a text is not empty and in a closed set. */
export function checkRequiredSupported(
  text: string,
  supported: readonly string[],
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (checkRequiredText(text, path, errors)) {
    checkSupported(text, supported, path, errors);
  }
}
