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
  return parseIp(text)?.family;
}

/** An address as a number of 32 or 128 bits. An IPv4 address written as an IPv6 one counts as IPv4. */
export interface IpAddress {
  readonly family: IPFamily;
  readonly value: bigint;
}

const mappedPrefix = 0xffffn;

/** Leading zeros of the parts of an address, of which v1.29 takes any number. */
const leadingZeros = /(?<![0-9a-f])0+(?=[0-9a-f])/gi;

/** Parses an address as v1.29 does, leading zeros and all; undefined when the text is none. */
export function parseIp(text: string): IpAddress | undefined {
  const v4 = parseIPv4(text);
  if (v4 !== undefined) {
    return { family: "IPv4", value: BigInt(v4) };
  }
  const plain = text.replace(leadingZeros, "");
  if (!isIPv6(plain) || plain.includes("%")) {
    return undefined;
  }
  const value = valueOfIPv6(plain);
  return value >> 32n === mappedPrefix ? { family: "IPv4", value: value & 0xffff_ffffn } : { family: "IPv6", value };
}

/** Returns the canonical text of an address (RFC 5952). */
export function ipText({ family, value }: IpAddress): string {
  if (family === "IPv4") {
    return ipv4Text(Number(value));
  }
  const groups = Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16));
  // The longest run of zeros, the first of several, is written as `::`; a single one is not.
  const runs = [...groups.join(":").matchAll(/(?<![0-9a-f])0(?::0)+(?![0-9a-f])/g)];
  const longest = runs.reduce((best, [run]) => (run.length > best.length ? run : best), "");
  const text = groups.join(":");
  if (longest === "") {
    return text;
  }
  const at = runs.find(([run]) => run === longest)?.index ?? 0;
  return `${text.slice(0, at).replace(/:$/, "")}::${text.slice(at + longest.length).replace(/^:/, "")}`;
}

/** Returns the number of an IPv6 address; `text` must be one. */
function valueOfIPv6(text: string): bigint {
  const [head = "", tail] = text.split("::");
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const zeros = new Array<number>(8 - before.length - after.length).fill(0);
  return [...before, ...zeros, ...after].reduce((sum, group) => (sum << 16n) | BigInt(group), 0n);
}

function groupsOf(text: string): number[] {
  return text === ""
    ? []
    : text.split(":").flatMap((group) => {
        const embedded = group.includes(".") ? parseIPv4(group) : undefined;
        return embedded === undefined ? [Number.parseInt(group, 16)] : [embedded >>> 16, embedded & 0xffff];
      });
}
