import type { AnswerHeaders } from "../request/exchange.js";

/** Headers as they were sent: names and values in turn. */
export type HeaderFields = readonly string[];

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

/** Headers that Node sends once in an answer over HTTP/2, and throws if there are several. */
const singular: ReadonlySet<string> = new Set([
  ...["age", "content-encoding", "content-language", "content-length", "content-location", "content-md5"],
  ...["content-range", "content-type", "date", "dnt", "etag", "expires", "last-modified", "location", "max-forwards"],
  ...["retry-after", "tk", "access-control-allow-credentials", "access-control-max-age", "x-content-type-options"],
]);

/** Returns the values of a header by its lower-case name, in their order. */
export function valuesOf(fields: HeaderFields, name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < fields.length; at += 2) {
    if (fields[at]?.toLowerCase() === name) {
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
    if (keep(name.toLowerCase())) {
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
  let hasConnection = false;
  const kept = filterFields(fields, (name) => {
    hasConnection ||= name === "connection";
    return !hopByHop.has(name) && name.charCodeAt(0) !== colon;
  });
  if (!hasConnection) {
    return kept;
  }
  const named = new Set(
    valuesOf(fields, "connection").flatMap((value) => value.split(",").map((name) => name.trim().toLowerCase())),
  );
  return filterFields(kept, (name) => !named.has(name));
}

const colon = 0x3a;

/**
 * Returns headers by name as an answer takes them: those of one name, in any case, become one list under the first
 * spelling. Of those that may be sent only once the first value counts. `before` come first.
 */
export function answerHeadersOf(fields: HeaderFields, before: AnswerHeaders = {}): AnswerHeaders {
  const headers: AnswerHeaders = Object.assign(Object.create(null), before);
  const spellings = new Map<string, string>();
  for (const name in before) {
    spellings.set(name.toLowerCase(), name);
  }
  for (let at = 0; at < fields.length; at += 2) {
    const name = fields[at] as string;
    const value = fields[at + 1] as string;
    const lower = name.toLowerCase();
    const spelling = spellings.get(lower);
    if (spelling === undefined) {
      // In this spelling Node does not add one of its own.
      const own = lower === "date" ? lower : name;
      spellings.set(lower, own);
      headers[own] = value;
    } else if (!singular.has(lower)) {
      const known = headers[spelling] as string | number | readonly string[];
      headers[spelling] = [...(typeof known === "object" ? known : [String(known)]), value];
    }
  }
  return headers;
}
