import { type IPFamily, parseIp } from "./ip-address.js";

/** A range of addresses: those that share the first `bits` bits. */
export interface Cidr {
  readonly family: IPFamily;
  /** The first address of the range. */
  readonly network: bigint;
  readonly bits: number;
}

const lengths = { IPv4: 32, IPv6: 128 } as const;

/**
 * Parses `address/bits` as v1.29 does: leading zeros and addresses inside the range are accepted. Undefined when the
 * text is none.
 */
export function parseCidr(text: string): Cidr | undefined {
  const slash = text.indexOf("/");
  const address = slash < 0 ? undefined : parseIp(text.slice(0, slash));
  const digits = text.slice(slash + 1);
  if (address === undefined || !/^\d{1,8}$/.test(digits)) {
    return undefined;
  }
  // The prefix of an IPv4 address written as an IPv6 one counts from the start of the IPv6 address, and may end before it.
  const isMapped = address.family === "IPv4" && text.includes(":");
  return isMapped && Number(digits) < mappedBits
    ? rangeOf("IPv6", mapped | address.value, Number(digits))
    : rangeOf(address.family, address.value, Number(digits) - (isMapped ? mappedBits : 0));
}

/** The first bits of all IPv4 addresses that are written as IPv6 ones, and their number. */
const mapped = 0xffffn << 32n;
const mappedBits = 96;

function rangeOf(family: IPFamily, address: bigint, bits: number): Cidr | undefined {
  const length = lengths[family];
  return bits > length ? undefined : { family, network: firstOf(address, bits, length), bits };
}

/** Reports whether `inner` is a proper part of `outer`. */
export function isStrictlyInside(inner: Cidr, outer: Cidr): boolean {
  return (
    inner.family === outer.family &&
    inner.bits > outer.bits &&
    firstOf(inner.network, outer.bits, lengths[outer.family]) === outer.network
  );
}

/** Reports whether the ranges include both an IPv4 and an IPv6 one. */
export function hasBothFamilies(ranges: readonly Cidr[]): boolean {
  return new Set(ranges.map(({ family }) => family)).size === 2;
}

function firstOf(value: bigint, bits: number, length: number): bigint {
  const rest = BigInt(length - bits);
  return (value >> rest) << rest;
}
