import type { IPFamily } from "@gatehouse/apiserver/options";
import { goQuote } from "@gatehouse/envelopes/go";

/** An address or prefix in canonical form (RFC 5952), or v1.29's message for a malformed text. */
export type IpText = { readonly family: IPFamily; readonly text: string } | { readonly problem: string };

/** An error with v1.29's message for a malformed address. */
class MalformedAddressError extends Error {
  /** Creates the error. `at` is the rest of the text where reading stopped. */
  constructor(message: string, at = "") {
    super(at === "" ? message : `${message} (at ${goQuote(at)})`);
  }
}

/** Parses an address more strictly than validation does (no leading zeros); a zone is allowed after IPv6. */
export function parseIpAddress(text: string): IpText {
  try {
    const first = /[.:%]/.exec(text)?.[0];
    if (first === ".") {
      return { family: "IPv4", text: readIPv4(text).join(".") };
    }
    if (first === ":") {
      return { family: "IPv6", text: canonicalIPv6(text) };
    }
    throw new MalformedAddressError(first === "%" ? "missing IPv6 address" : "unable to parse IP");
  } catch (error) {
    if (error instanceof MalformedAddressError) {
      return { problem: `ParseAddr(${goQuote(text)}): ${error.message}` };
    }
    throw error;
  }
}

/** Parses `address/bits`. */
export function parseIpPrefix(text: string): IpText {
  const fail = (problem: string): IpText => ({ problem: `netip.ParsePrefix(${goQuote(text)}): ${problem}` });
  const slash = text.lastIndexOf("/");
  if (slash < 0) {
    return fail("no '/'");
  }
  const address = parseIpAddress(text.slice(0, slash));
  if ("problem" in address) {
    return fail(address.problem);
  }
  if (address.text.includes("%")) {
    return fail("IPv6 zones cannot be present in a prefix");
  }
  const bits = text.slice(slash + 1);
  if (!/^(?:\d|[1-9]\d{1,18})$/.test(bits)) {
    return fail(`bad bits after slash: ${goQuote(bits)}`);
  }
  return Number(bits) > (address.family === "IPv4" ? 32 : 128)
    ? fail("prefix length out of range")
    : { family: address.family, text: `${address.text}/${bits}` };
}

function readIPv4(text: string): readonly number[] {
  const bytes: number[] = [];
  let digits = "";
  for (const [index, character] of [...text].entries()) {
    const rest = text.slice(index);
    if (/\d/.test(character)) {
      if (digits === "0") {
        throw new MalformedAddressError("IPv4 field has octet with leading zero");
      }
      digits += character;
      if (Number(digits) > 255) {
        throw new MalformedAddressError("IPv4 field has value >255");
      }
    } else if (character !== ".") {
      throw new MalformedAddressError("unexpected character", rest);
    } else if (digits === "" || rest === ".") {
      throw new MalformedAddressError("IPv4 field must have at least one digit", rest);
    } else if (bytes.length === 3) {
      throw new MalformedAddressError("IPv4 address too long");
    } else {
      bytes.push(Number(digits));
      digits = "";
    }
  }
  if (bytes.length < 3) {
    throw new MalformedAddressError("IPv4 address too short");
  }
  return [...bytes, Number(digits)];
}

function canonicalIPv6(text: string): string {
  const percent = text.indexOf("%");
  const zone = percent < 0 ? "" : text.slice(percent);
  if (zone === "%") {
    throw new MalformedAddressError("zone must be a non-empty string");
  }
  return `${writeIPv6(readIPv6(percent < 0 ? text : text.slice(0, percent)))}${zone}`;
}

/** Returns the eight groups of an IPv6 address. Throws MalformedAddressError if the text is none. */
function readIPv6(text: string): readonly number[] {
  const groups: number[] = [];
  let gap = text.startsWith("::") ? 0 : -1;
  let rest = gap === 0 ? text.slice(2) : text;
  while (groups.length < 8 && rest !== "") {
    const digits = /^[0-9a-f]*/i.exec(rest)?.[0] ?? "";
    if (digits.length > 4) {
      throw new MalformedAddressError("each group must have 4 or less digits", rest);
    }
    if (digits === "") {
      throw new MalformedAddressError("each colon-separated field must have at least one digit", rest);
    }
    if (rest[digits.length] === ".") {
      groups.push(...embeddedIPv4(rest, groups.length, gap));
      rest = "";
      break;
    }
    groups.push(Number.parseInt(digits, 16));
    rest = rest.slice(digits.length);
    if (rest === "") {
      break;
    }
    if (rest[0] !== ":") {
      throw new MalformedAddressError("unexpected character, want colon", rest);
    }
    if (rest === ":") {
      throw new MalformedAddressError("colon must be followed by more characters", rest);
    }
    rest = rest.slice(1);
    if (rest[0] === ":") {
      if (gap >= 0) {
        throw new MalformedAddressError("multiple :: in address", rest);
      }
      gap = groups.length;
      rest = rest.slice(1);
    }
  }
  if (rest !== "") {
    throw new MalformedAddressError("trailing garbage after address", rest);
  }
  return fillGap(groups, gap);
}

function embeddedIPv4(rest: string, groups: number, gap: number): readonly number[] {
  if (gap < 0 && groups !== 6) {
    throw new MalformedAddressError("embedded IPv4 address must replace the final 2 fields of the address", rest);
  }
  if (groups > 6) {
    throw new MalformedAddressError("too many hex fields to fit an embedded IPv4 at the end of the address", rest);
  }
  const [a = 0, b = 0, c = 0, d = 0] = readIPv4(rest);
  return [a * 256 + b, c * 256 + d];
}

/**
 * Inserts the zeros that `::` stands for before the group of index `gap`, which is negative for none. Throws MalformedAddressError
 * for a wrong number of groups.
 */
function fillGap(groups: readonly number[], gap: number): readonly number[] {
  const missing = 8 - groups.length;
  if (gap < 0 && missing > 0) {
    throw new MalformedAddressError("address string too short");
  }
  if (gap >= 0 && missing === 0) {
    throw new MalformedAddressError("the :: must expand to at least one field of zeros");
  }
  return gap < 0 ? groups : [...groups.slice(0, gap), ...new Array<number>(missing).fill(0), ...groups.slice(gap)];
}

/**
 * Returns the canonical text (RFC 5952): lower case, no leading zeros, `::` for the first of the longest runs of zeros;
 * IPv4 stays readable.
 */
function writeIPv6(groups: readonly number[]): string {
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    const [high = 0, low = 0] = groups.slice(6);
    return `::ffff:${[high >> 8, high & 255, low >> 8, low & 255].join(".")}`;
  }
  const run = longestRunOfZeros(groups);
  const hex = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(":");
  return run === undefined
    ? hex(groups)
    : `${hex(groups.slice(0, run.start))}::${hex(groups.slice(run.start + run.length))}`;
}

/** Returns the first of the longest runs of at least two zeros. */
function longestRunOfZeros(groups: readonly number[]): { readonly start: number; readonly length: number } | undefined {
  let best: { readonly start: number; readonly length: number } | undefined;
  for (let start = 0; start < groups.length; start++) {
    let length = 0;
    while (groups[start + length] === 0) {
      length++;
    }
    if (length >= 2 && length > (best?.length ?? 0)) {
      best = { start, length };
    }
  }
  return best;
}
