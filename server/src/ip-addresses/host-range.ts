import { type Cidr, type IPFamily, type IpAddress, ipText, reservedOf } from "@gatehouse/apiserver/options";

/** The addresses of a network that Services can have: without that of the network itself, and of an IPv4 broadcast. */
export interface HostRange {
  readonly family: IPFamily;
  /** The network as it is written in a ServiceCIDR. */
  readonly text: string;
  readonly network: bigint;
  readonly bits: number;
  /** The first of the addresses. */
  readonly first: bigint;
  /** The last of the addresses; before the first one when there is none. */
  readonly last: bigint;
  /** Number of the lowest addresses that are given out only on request, until all others are taken (KEP-3070). */
  readonly reserved: bigint;
}

const lengths = { IPv4: 32, IPv6: 128 } as const;

/** The shortest prefix of an IPv6 network that v1.29 allocates from. */
const shortestIPv6Prefix = 64;

/** Returns the addresses of a network. */
export function hostRange({ family, network, bits }: Cidr): HostRange {
  const isIPv4 = family === "IPv4";
  const hostBits = lengths[family] - bits;
  return {
    family,
    network,
    bits,
    text: `${ipText({ family, value: network })}/${bits}`,
    first: network + 1n,
    last: network + (1n << BigInt(hostBits)) - (isIPv4 ? 2n : 1n),
    reserved: BigInt(reservedOf(2 ** hostBits, { min: 16, max: 256, step: 16 })),
  };
}

/** Reports whether addresses are allocated from a network of this size. */
export function isAllocatable({ family, bits }: Pick<HostRange, "family" | "bits">): boolean {
  return family === "IPv4" || bits >= shortestIPv6Prefix;
}

/** Reports whether a Service can have an address of a range. */
export function holdsHost(range: HostRange, { family, value }: IpAddress): boolean {
  return family === range.family && value >= range.first && value <= range.last;
}

/** Reports whether an address lies in the network of a range, be it that of the network itself. */
export function holdsAddress(range: HostRange, { family, value }: IpAddress): boolean {
  return family === range.family && prefixOf(value, range) === prefixOf(range.network, range);
}

/** Reports whether the network of `inner` is `outer` or a part of it. */
export function isWithin(inner: HostRange, outer: HostRange): boolean {
  return inner.bits >= outer.bits && holdsAddress(outer, { family: inner.family, value: inner.network });
}

function prefixOf(value: bigint, { family, bits }: HostRange): bigint {
  return value >> BigInt(lengths[family] - bits);
}
