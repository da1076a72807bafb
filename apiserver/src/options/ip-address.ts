import { isIPv6 } from "node:net";

/** The family of an address, in the words of `spec.ipFamilies` of services. */
export type IPFamily = "IPv4" | "IPv6";

/** Parses an IPv4 address to a number from 0 to 2^32 - 1. Leading zeros are accepted, as in v1.29. */
export function parseIPv4(text: string): number | undefined {
  const match = /^(?:::ffff:)?(\d{1,9})\.(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/i.exec(text);
  if (match === null) {
    return undefined;
  }
  let address = 0;
  for (const part of match.slice(1)) {
    const byte = Number(part);
    if (byte > 255) {
      return undefined;
    }
    address = address * 256 + byte;
  }
  return address;
}

/** Returns the dotted form of an address in the form that parseIPv4 returns. */
export function ipv4Text(address: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join(".");
}

/**
 * Returns the family of an address; undefined when the text is none. An IPv4 address written as an IPv6 one counts as
 * IPv4.
 */
export function ipFamilyOf(text: string): IPFamily | undefined {
  if (parseIPv4(text) !== undefined) {
    return "IPv4";
  }
  return isIPv6(text) && !text.includes("%") ? "IPv6" : undefined;
}
