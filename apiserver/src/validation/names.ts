import type { FieldPath } from "@gatehouse/envelopes/validation";
import {
  type ValidateName,
  type ValidateValue,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateQualifiedName,
} from "@gatehouse/envelopes/validation";
import type { FieldErrors } from "./field-errors.js";

/** Validates a text with `problemsOf`, which returns its problems. */
export function validateFormat(
  text: string,
  problemsOf: ValidateValue | ValidateName,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const problems = problemsOf(text);
  if (problems.length > 0) {
    errors.invalidText(path, text, problems);
  }
}

/** Validates an RFC 1123 label. */
export function validateLabelText(text: string, path: FieldPath, errors: FieldErrors): void {
  validateFormat(text, validateDns1123Label, path, errors);
}

/** Validates an RFC 1123 subdomain, as most names of objects are. */
export function validateSubdomainText(text: string, path: FieldPath, errors: FieldErrors): void {
  validateFormat(text, validateDns1123Subdomain, path, errors);
}

/** Validates a qualified name: `name` or `subdomain.prefix/name`. */
export function validateQualifiedText(text: string, path: FieldPath, errors: FieldErrors): void {
  validateFormat(text, validateQualifiedName, path, errors);
}

/** Validates that a text is not empty; returns whether it is not. */
export function validateRequiredText(text: string, path: FieldPath, errors: FieldErrors, detail = ""): boolean {
  if (text === "") {
    errors.required(path, detail);
    return false;
  }
  return true;
}

/** Validates that a text is in a closed set, which errors show in the order given. */
export function validateSupported(
  text: string,
  supported: readonly string[],
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (!supported.includes(text)) {
    errors.notSupported(path, text, supported);
  }
}

/** Validates that a text is not empty and in a closed set. */
export function validateRequiredSupported(
  text: string,
  supported: readonly string[],
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (validateRequiredText(text, path, errors)) {
    validateSupported(text, supported, path, errors);
  }
}
