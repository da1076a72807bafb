import type { Cidr } from "./cidr.js";
import { type IPFamily, ipText, parseIp } from "./ip-address.js";
import { type NumberRange, reservedOf } from "./number-range.js";

/**
 * The addresses of a network to allocate from. The number of an address is its distance from the address of the network
 * itself, which is never allocated.
 */
export interface AddressRange extends NumberRange {
  readonly family: IPFamily;
  /** The address of the network itself, as a number. */
  readonly network: bigint;
}

/** The number of addresses of an IPv6 network that are used, as in v1.29: the taken ones are kept as a bitmap. */
const maxAddresses = 65_536;

/** Returns the addresses of a network, without its first one, and without the last one of an IPv4 network. */
export function addressRange({ family, network, bits }: Cidr): AddressRange {
  const isIPv4 = family === "IPv4";
  const total = 2 ** ((isIPv4 ? 32 : 128) - bits);
  return {
    family,
    network,
    text: `${ipText({ family, value: network })}/${bits}`,
    first: 1,
    size: Math.max(0, isIPv4 ? total - 2 : Math.min(total, maxAddresses) - 1),
    reserved: reservedOf(total, { min: 16, max: 256, step: 16 }),
  };
}

/** Returns the number of an address in a range; undefined when it cannot be allocated there, or the text is none. */
export function numberOfAddress(range: AddressRange, text: string): number | undefined {
  const address = parseIp(text);
  if (address?.family !== range.family) {
    return undefined;
  }
  const number = Number(address.value - range.network);
  return number >= range.first && number < range.first + range.size ? number : undefined;
}

/** Returns the text of the address with a number. */
export function addressText({ family, network }: AddressRange, number: number): string {
  return ipText({ family, value: network + BigInt(number) });
}

/** Returns the address of the network itself, which a dry run answers with instead of an address. */
export function networkAddress(range: AddressRange): string {
  return addressText(range, 0);
}

/** Returns the first address of a range, which belongs to the kubernetes Service. */
export function firstAddress(range: AddressRange): string {
  return addressText(range, range.first);
}
