import { ipv4Text, parseIPv4 } from "./ip-address.js";

/** A range of numbers to allocate from: ports, or IPv4 addresses as numbers. */
export interface NumberRange {
  /** The text in a RangeAllocation and in messages: `10.96.0.0/12`, `30000-32767`. */
  readonly text: string;
  /** The smallest number that can be allocated. */
  readonly first: number;
  readonly size: number;
  /** Number of the smallest numbers that are allocated only on request, until all others are taken. */
  readonly reserved: number;
}

/** The largest range that v1.29 accepts for IPv4. */
export const minPrefixLength = 12;

/**
 * Returns the addresses of an IPv4 network, without its first and last one. Undefined when the text is not a CIDR, or a
 * network too large or too small to allocate from.
 */
export function addressRange(cidr: string): NumberRange | undefined {
  const match = /^([\d.]+)\/(\d{1,2})$/.exec(cidr);
  const address = parseIPv4(match?.[1] ?? "");
  const length = Number(match?.[2]);
  if (match === null || address === undefined || length < minPrefixLength || length > 30) {
    return undefined;
  }
  const total = 2 ** (32 - length);
  const base = address - (address % total);
  return {
    text: `${ipv4Text(base)}/${length}`,
    first: base + 1,
    size: total - 2,
    reserved: reservedOf(total, { min: 16, max: 256, step: 16 }),
  };
}

/** Returns the address of the network itself, which a dry run answers with instead of an address. */
export function networkAddress(range: NumberRange): string {
  return ipv4Text(range.first - 1);
}

/** Parses the ports of `30000-32767`, `30000+2767` or `30000`. Undefined for any other text. */
export function portRange(text: string): NumberRange | undefined {
  const match = /^(\d{1,5})(?:([-+])(\d{1,5}))?$/.exec(text.trim());
  if (match === null) {
    return undefined;
  }
  const first = Number(match[1]);
  const second = Number(match[3] ?? first);
  const last = match[2] === "+" ? first + second : second;
  if (first < 1 || last < first || last > 65535) {
    return undefined;
  }
  const size = last - first + 1;
  return { text: `${first}-${last}`, first, size, reserved: reservedOf(size, { min: 16, max: 128, step: 32 }) };
}

/**
 * Computes the reserved part by KEP-3070 (addresses) and KEP-3668 (ports): a `step`-th, at least `min`, at most `max`.
 */
function reservedOf(
  size: number,
  { min, max, step }: { readonly min: number; readonly max: number; readonly step: number },
): number {
  return size <= min ? 0 : Math.min(Math.max(min, Math.floor(size / step)), max);
}
