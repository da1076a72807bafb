import { isIPv6 } from "node:net";
import type { FieldPath } from "@gatehouse/envelopes/validation";
import { type IPFamily, ipv4Text, parseIPv4 } from "../options/ip-address.js";
import type { FieldErrors } from "./field-errors.js";

/** An address as a number of 32 or 128 bits. An IPv4 address written as an IPv6 one counts as IPv4. */
export interface IpAddress {
  readonly family: IPFamily;
  readonly value: bigint;
}

const mappedPrefix = 0xffffn;

/** Parses an address as v1.29 does, leading zeros and all; undefined when the text is none. */
export function parseIp(text: string): IpAddress | undefined {
  const v4 = parseIPv4(text);
  if (v4 !== undefined) {
    return { family: "IPv4", value: BigInt(v4) };
  }
  if (!isIPv6(text) || text.includes("%")) {
    return undefined;
  }
  const value = valueOfIPv6(text);
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
