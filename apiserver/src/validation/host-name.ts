import type { FieldPath } from "@gatehouse/envelopes/validation";
import { validateDns1123Label, validateDns1123Subdomain } from "@gatehouse/envelopes/validation";
import { parseIp } from "../options/ip-address.js";
import type { FieldErrors } from "./field-errors.js";
import { validateSubdomainText } from "./names.js";

const subdomain = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
const wildcard = `\\*\\.${subdomain}`;
const wildcardPattern = new RegExp(`^${wildcard}$`);

/**
 * Returns the problems of a host name: a subdomain, or a wildcard for the names one level below it (`*.example.com`).
 */
export function hostNameProblems(host: string): string[] {
  return host.includes("*") ? wildcardProblems(host) : validateDns1123Subdomain(host);
}

function wildcardProblems(host: string): string[] {
  const problems = Buffer.byteLength(host) > 253 ? ["must be no more than 253 characters"] : [];
  if (!wildcardPattern.test(host)) {
    problems.push(
      `a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '${wildcard}')`,
    );
  }
  return problems;
}

/** Validates that a host name is not an IP address: IPv4 addresses look like host names. */
export function validateNoAddress(host: string, path: FieldPath, errors: FieldErrors): void {
  if (parseIp(host) !== undefined) {
    errors.invalid(path, host, "must be a DNS name, not an IP address");
  }
}

/** Validates a domain of at least two labels; a dot may end it. */
export function validateFullyQualifiedDomainName(text: string, path: FieldPath, errors: FieldErrors): void {
  if (text === "") {
    errors.required(path);
    return;
  }
  const name = text.endsWith(".") ? text.slice(0, -1) : text;
  const problems = validateDns1123Subdomain(name);
  if (problems.length > 0) {
    errors.invalid(path, name, problems.join(","));
    return;
  }
  const labels = name.split(".");
  if (labels.length < 2) {
    errors.invalid(path, name, "should be a domain with at least two segments separated by dots");
    return;
  }
  for (const label of labels) {
    const labelProblems = validateDns1123Label(label);
    if (labelProblems.length > 0) {
      errors.invalid(path, label, labelProblems.join(","));
      return;
    }
  }
}

/** Validates the host name in the status of a load balancer. */
export function validateHostNameOfStatus(host: string, path: FieldPath, errors: FieldErrors): void {
  validateSubdomainText(host, path, errors);
  validateNoAddress(host, path, errors);
}
