import type { FieldPath } from "@gatehouse/envelopes/validation";
import { type IpAddress, parseIp } from "../options/ip-address.js";
import type { FieldErrors } from "./field-errors.js";

/** Returns the problems of a text that should be an IP address. */
export function ipProblems(text: string): string[] {
  return parseIp(text) === undefined ? ["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"] : [];
}

/** Validates an address that traffic from anywhere can be sent to: not unspecified, loopback or link-local. */
export function validateOrdinaryIp(text: string, path: FieldPath, errors: FieldErrors): void {
  const address = parseIp(text);
  if (address === undefined) {
    errors.invalid(path, text, "must be a valid IP address");
    return;
  }
  for (const { holds, detail } of specialRanges) {
    if (holds(address)) {
      errors.invalid(path, text, detail(text));
    }
  }
}

interface SpecialRange {
  readonly holds: (address: IpAddress) => boolean;
  readonly detail: (text: string) => string;
}

const specialRanges: readonly SpecialRange[] = [
  { holds: ({ value }) => value === 0n, detail: (text) => `may not be unspecified (${text})` },
  {
    holds: ({ family, value }) => (family === "IPv4" ? value >> 24n === 127n : value === 1n),
    detail: () => "may not be in the loopback range (127.0.0.0/8, ::1/128)",
  },
  {
    holds: ({ family, value }) => (family === "IPv4" ? value >> 16n === 0xa9fen : value >> 118n === 0x3fan),
    detail: () => "may not be in the link-local range (169.254.0.0/16, fe80::/10)",
  },
  {
    holds: ({ family, value }) =>
      family === "IPv4" ? value >> 8n === 0xe00000n : ((value >> 112n) & 0xff0fn) === 0xff02n,
    detail: () => "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)",
  },
];
