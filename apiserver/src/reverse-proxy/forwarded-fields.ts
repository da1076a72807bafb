import { TextMemo } from "@gatehouse/component-base/collections";
import type { HeaderFields } from "../request/header-fields.js";

/** Headers that concern one connection (RFC 9110, section 7.6.1), and those that frame a body on it. */
const hopByHop: ReadonlySet<string> = new Set([
  "connection",
  "proxy-connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "http2-settings",
]);

/** Headers that an answer has once. */
const singular: readonly string[] = [
  ...["age", "content-encoding", "content-language", "content-length", "content-location", "content-md5"],
  ...["content-range", "content-type", "date", "dnt", "etag", "expires", "last-modified", "location", "max-forwards"],
  ...["retry-after", "tk", "access-control-allow-credentials", "access-control-max-age", "x-content-type-options"],
];

/** The traits of a header that its name tells. */
interface NameTraits {
  readonly lower: string;
  /** True for headers of one connection, and pseudo-headers. */
  readonly isOfConnection: boolean;
  /** A bit of its own for a header that an answer has once; 0 for others. */
  readonly singularBit: number;
}

/** Traits by name as it was sent: the same few names come again and again. */
const knownTraits = new TextMemo<NameTraits>(100_000);

function traitsOf(name: string): NameTraits {
  return knownTraits.get(name) ?? knownTraits.keep(name, readTraits(name));
}

function readTraits(name: string): NameTraits {
  const lower = name.toLowerCase();
  const isOfConnection = hopByHop.has(lower) || lower.startsWith(":");
  return { lower, isOfConnection, singularBit: singular.includes(lower) ? 1 << singular.indexOf(lower) : 0 };
}

/** Returns the values of a header by its lower-case name, in their order. */
export function valuesOf(fields: HeaderFields, name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < fields.length; at += 2) {
    const sent = fields[at] as string;
    if (sent === name || (sent.length === name.length && sent.toLowerCase() === name)) {
      values.push(fields[at + 1] as string);
    }
  }
  return values;
}

/** Returns the headers of which `keep` approves; it is given lower-case names. */
export function filterFields(fields: HeaderFields, keep: (name: string) => boolean): string[] {
  const kept: string[] = [];
  for (let at = 0; at < fields.length; at += 2) {
    const name = fields[at] as string;
    if (keep(traitsOf(name).lower)) {
      kept.push(name, fields[at + 1] as string);
    }
  }
  return kept;
}

/** Returns the headers with one set to a single value, in place of those of its name in any case. */
export function withField(fields: HeaderFields, name: string, value: string): string[] {
  const wanted = name.toLowerCase();
  const rest = filterFields(fields, (other) => other !== wanted);
  rest.push(name, value);
  return rest;
}

/** Returns the headers without those of one connection, those that `Connection` names, and pseudo-headers. */
export function endToEndFields(fields: HeaderFields): string[] {
  const kept: string[] = [];
  let hasConnection = false;
  for (let at = 0; at < fields.length; at += 2) {
    const name = fields[at] as string;
    const { lower, isOfConnection } = traitsOf(name);
    if (!isOfConnection) {
      kept.push(name, fields[at + 1] as string);
    }
    hasConnection ||= lower === "connection";
  }
  if (!hasConnection) {
    return kept;
  }
  const named = new Set(
    valuesOf(fields, "connection").flatMap((value) => value.split(",").map((name) => name.trim().toLowerCase())),
  );
  return filterFields(kept, (name) => !named.has(name));
}

/** Returns the headers without the blanks around values, which are a part of a value in HTTP/2 alone. */
export function withoutOuterBlanks(fields: HeaderFields): HeaderFields {
  return fields.some((field) => withoutOuter(field) !== field) ? fields.map(withoutOuter) : fields;
}

function withoutOuter(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && isBlank(value.charCodeAt(start))) {
    start++;
  }
  while (end > start && isBlank(value.charCodeAt(end - 1))) {
    end--;
  }
  return end - start === value.length ? value : value.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/** Returns the headers of an answer: of those that it has once the first value counts. */
export function withoutRepeats(fields: HeaderFields): string[] {
  const kept: string[] = [];
  let seen = 0;
  for (let at = 0; at < fields.length; at += 2) {
    const name = fields[at] as string;
    const { lower, singularBit } = traitsOf(name);
    if ((seen & singularBit) === 0) {
      seen |= singularBit;
      // In this spelling Node does not add one of its own.
      kept.push(lower === "date" ? lower : name, fields[at + 1] as string);
    }
  }
  return kept;
}
