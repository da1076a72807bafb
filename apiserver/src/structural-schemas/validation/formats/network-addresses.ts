import { isIPv6 as isIpv6OrZone } from "node:net";

/** Reports whether a text is IPv4 in dotted form, leading zeros allowed, or an IPv6 address that ends in such. */
export function isIpv4(text: string): boolean {
  return text.includes(".") && (isDotted(text) || isAddressV6(text));
}

/** Reports whether a text is an IPv6 address without a zone. */
export function isIpv6(text: string): boolean {
  return isAddressV6(text);
}

/**
 * Reports whether a text is an address with the length of a prefix, `10.0.0.0/8`. Bits behind the prefix may be set.
 */
export function isCidr(text: string): boolean {
  const slash = text.indexOf("/");
  if (slash < 0) {
    return false;
  }
  const address = text.slice(0, slash);
  const bits = text.slice(slash + 1);
  const maxBits = isDotted(address) ? 32 : isAddressV6(address) ? 128 : -1;
  return maxBits > 0 && /^\d+$/.test(bits) && Number(bits) <= maxBits;
}

/**
 * Reports whether a text is EUI-48, EUI-64 or the 20 bytes of InfiniBand: bare, or with colons, hyphens, or dots
 * between groups of four.
 */
export function isMac(text: string): boolean {
  if (/^[0-9a-fA-F]+$/.test(text)) {
    return macLengths.has(text.length / 2);
  }
  return /^[0-9a-fA-F]{2}(?::[0-9a-fA-F]{2})+$/.test(text) || /^[0-9a-fA-F]{2}(?:-[0-9a-fA-F]{2})+$/.test(text)
    ? macLengths.has((text.length + 1) / 3)
    : /^[0-9a-fA-F]{4}(?:\.[0-9a-fA-F]{4})+$/.test(text) && macLengths.has(((text.length + 1) / 5) * 2);
}

const macLengths: ReadonlySet<number> = new Set([6, 8, 20]);

function isDotted(text: string): boolean {
  const bytes = text.length > 64 ? [] : text.split(".");
  return bytes.length === 4 && bytes.every((byte) => /^\d+$/.test(byte) && Number(byte) <= 255);
}

function isAddressV6(text: string): boolean {
  return text.length <= 64 && text.includes(":") && !text.includes("%") && isIpv6OrZone(text);
}
