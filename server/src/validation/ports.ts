import { type FieldErrors, type FieldPath, rangeText } from "@gatehouse/apiserver/validation";
import type { JsonValue } from "@gatehouse/envelopes/json";

/** The transport protocols of ports, as v1.29 lists them. */
export const portProtocols: readonly string[] = ["SCTP", "TCP", "UDP"];

/** Validates the number of a port; an absent one counts as 0. */
export function validatePortNumber(port: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  const number = Number(port ?? 0);
  if (number < 1 || number > 65535) {
    errors.invalid(path, number, rangeText(1, 65535));
  }
}

/** Returns the problems of the name of a port (RFC 6335, lower case only). */
export function portNameProblems(name: string): string[] {
  const problems: string[] = [];
  if (Buffer.byteLength(name) > 15) {
    problems.push("must be no more than 15 characters");
  }
  if (!/^[-a-z0-9]+$/.test(name)) {
    problems.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  }
  if (!/[a-z]/.test(name)) {
    problems.push("must contain at least one letter (a-z)");
  }
  if (name.includes("--")) {
    problems.push("must not contain consecutive hyphens");
  }
  if (name.startsWith("-") || name.endsWith("-")) {
    problems.push("must not begin or end with a hyphen");
  }
  return problems;
}

/** Validates a port by number or by name, as probes have it. */
export function validatePortNumberOrName(port: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  if (typeof port === "string") {
    errors.invalidText(path, port, portNameProblems(port));
  } else {
    validatePortNumber(port, path, errors);
  }
}
