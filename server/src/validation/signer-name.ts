import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { goQuote } from "@gatehouse/envelopes/go";
import { type ValidateValue, validateDns1123Label, validateDns1123Subdomain } from "@gatehouse/envelopes/validation";

/** Limit on the domain of a signer name, in bytes. */
const maxDomain = 253;
const maxPath = 253 + 63 + 1;
const maxSignerName = maxDomain + maxPath + 1;

/** Validates a signer name: a domain of at least two labels and a path, `example.com/signer`. */
export function validateSignerName(name: string, path: FieldPath, errors: FieldErrors): void {
  if (name === "") {
    errors.required(path);
    return;
  }
  const [domain = "", rest, ...others] = name.split("/", 3);
  if (rest === undefined || others.length > 0) {
    const detail = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    errors.invalid(path, name, detail);
    return;
  }
  if (Buffer.byteLength(domain) > maxDomain) {
    errors.tooLong(path, maxDomain);
  }
  validateParts(domain, validateDns1123Label, path, errors);
  if (!domain.includes(".")) {
    errors.invalid(path, domain, "should be a domain with at least two segments separated by dots");
  }
  validateParts(rest, validateDns1123Subdomain, path, errors);
  if (Buffer.byteLength(name) > maxSignerName) {
    errors.tooLong(path, maxSignerName);
  }
}

/** Validates the parts between dots; only the first wrong one gets errors. */
function validateParts(text: string, problemsOf: ValidateValue, path: FieldPath, errors: FieldErrors): void {
  const wrong = text.split(".").find((part) => problemsOf(part).length > 0);
  if (wrong !== undefined) {
    errors.invalidText(
      path,
      text,
      problemsOf(wrong).map((problem) => `validating label ${goQuote(wrong)}: ${problem}`),
    );
  }
}
