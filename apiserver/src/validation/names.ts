import {
  checkDns1123Label,
  checkDns1123Subdomain,
  checkQualifiedName,
  type NameCheck,
  type ValueCheck,
} from "@gatehouse/envelopes";
import type { FieldErrors } from "./field-errors.js";
import type { FieldPath } from "./field-path.js";

/** A text that must look as `problemsOf` demands. */
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

/** An RFC 1123 label. */
export function checkLabelText(text: string, path: FieldPath, errors: FieldErrors): void {
  checkFormat(text, checkDns1123Label, path, errors);
}

/** An RFC 1123 subdomain, as most names of objects are. */
export function checkSubdomainText(text: string, path: FieldPath, errors: FieldErrors): void {
  checkFormat(text, checkDns1123Subdomain, path, errors);
}

/** `name` or `subdomain.prefix/name`. */
export function checkQualifiedText(text: string, path: FieldPath, errors: FieldErrors): void {
  checkFormat(text, checkQualifiedName, path, errors);
}

/** A text that may not be left out; whether it is there. */
export function checkRequiredText(text: string, path: FieldPath, errors: FieldErrors, detail = ""): boolean {
  if (text === "") {
    errors.required(path, detail);
    return false;
  }
  return true;
}

/** A text out of a closed set, if it is there at all. `supported` is shown as it stands. */
export function checkSupported(text: string, supported: readonly string[], path: FieldPath, errors: FieldErrors): void {
  if (!supported.includes(text)) {
    errors.notSupported(path, text, supported);
  }
}

/** A text out of a closed set that may not be left out. */
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
