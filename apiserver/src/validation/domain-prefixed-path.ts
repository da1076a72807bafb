import type { FieldPath } from "@gatehouse/envelopes/validation";
import { validateDns1123Subdomain } from "@gatehouse/envelopes/validation";
import type { FieldErrors } from "./field-errors.js";
import { validateFormat } from "./names.js";

const httpPath = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const httpPathPattern = new RegExp(`^${httpPath}$`);

/** Validates a domain and a path below it, as controllers name themselves: `acme.io/foo`. */
export function validateDomainPrefixedPath(text: string, path: FieldPath, errors: FieldErrors): void {
  if (text === "") {
    errors.required(path);
    return;
  }
  const slash = text.indexOf("/");
  const rest = text.slice(slash + 1);
  if (slash <= 0 || rest === "") {
    errors.invalid(path, text, 'must be a domain-prefixed path (such as "acme.io/foo")');
    return;
  }
  validateFormat(text.slice(0, slash), validateDns1123Subdomain, path, errors);
  if (!httpPathPattern.test(rest)) {
    errors.invalid(path, rest, `Invalid path (regex used for validation is '${httpPath}')`);
  }
}
