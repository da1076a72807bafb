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

/** Reports whether a text is eight groups in hexadecimal, of which `::` may leave out some; the last two may be dotted. */
function isAddressV6(text: string): boolean {
  const halves = text.length > 64 ? [] : text.split("::");
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  const dotted = /:([\d.]+)$/.exec(text)?.[1];
  const hasDotted = dotted?.includes(".") === true;
  const count = groups.length + (hasDotted ? 1 : 0);
  return (
    (halves.length === 2 ? count < 8 : halves.length === 1 && count === 8) &&
    (hasDotted ? groups.slice(0, -1) : groups).every((group) => /^[0-9a-fA-F]{1,4}$/.test(group)) &&
    (!hasDotted || isDottedWithoutZeros(dotted))
  );
}

function isDottedWithoutZeros(text: string): boolean {
  return isDotted(text) && !/(?:^|\.)0\d/.test(text);
}
