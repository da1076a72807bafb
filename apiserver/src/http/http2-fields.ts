import type { IncomingHttpHeaders } from "node:http";
import { isConnectionField } from "@gatehouse/component-base/http2";
import type { AnswerFields, AnswerHeaders } from "../request/exchange.js";

/** Fields of requests that are sent once: of several the first counts. Others are joined to a list. */
const singular: ReadonlySet<string> = new Set([
  ...[":method", ":scheme", ":authority", ":path"],
  ...["access-control-request-method", "authorization", "content-encoding", "content-language", "content-length"],
  ...["content-location", "content-md5", "content-range", "content-type", "date", "dnt", "etag", "expires", "from"],
  ...["host", "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "last-modified"],
  ...["max-forwards", "proxy-authorization", "range", "referer", "upgrade-insecure-requests", "user-agent"],
]);

/**
 * Returns the fields of a request, names and values in turn, by name, as Node gives the headers of a request. `lowerCase`:
 * for names that may be in any case.
 */
export function headersOf(fields: readonly string[], lowerCase = asItIs): IncomingHttpHeaders {
  const headers: Record<string, string> = Object.create(null);
  for (let at = 0; at < fields.length; at += 2) {
    const name = lowerCase(fields[at] as string);
    const value = fields[at + 1] as string;
    const known = headers[name];
    if (known === undefined) {
      headers[name] = value;
    } else if (!singular.has(name)) {
      headers[name] = name === "cookie" ? `${known}; ${value}` : `${known}, ${value}`;
    }
  }
  return headers;
}

function asItIs(name: string): string {
  return name;
}

/**
 * Returns a path and query with the bytes escaped that the request line of HTTP/1.1 cannot hold: a space there would end
 * it, and who reads it next would take the rest for something else. Escaped, they have the same meaning.
 */
export function escapedTarget(path: string): string {
  return /^[!-~]*$/.test(path) ? path : path.replaceAll(/[^!-~]/g, escapedByte);
}

function escapedByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

/**
 * Adds the headers of an answer to fields: names in lower case and values in turn. Returns true if there is a date among
 * them. Throws TypeError for one that HTTP/2 does not carry.
 */
export function pushHeaders(fields: string[], headers: AnswerHeaders): boolean {
  let hasDate = false;
  for (const header in headers) {
    const name = fieldNames.get(header) ?? fieldNameOf(header);
    const value = headers[header];
    if (typeof value === "object") {
      for (const each of value) {
        fields.push(name, checkedValue(name, String(each)));
      }
    } else if (value !== undefined) {
      fields.push(name, typeof value === "number" ? String(value) : checkedValue(name, value));
    }
    hasDate ||= name === "date";
  }
  return hasDate;
}

/** Adds headers of an answer that are names and values in turn, as `pushHeaders` does. */
export function pushFields(fields: string[], sent: AnswerFields): boolean {
  let hasDate = false;
  for (let at = 0; at < sent.length; at += 2) {
    const header = sent[at] as string;
    const name = fieldNames.get(header) ?? fieldNameOf(header);
    fields.push(name, checkedValue(name, sent[at + 1] as string));
    hasDate ||= name === "date";
  }
  return hasDate;
}

const fieldNames = new Map<string, string>();
/** Backends choose names of headers, too: only so many are remembered. */
const maxFieldNames = 1000;

function fieldNameOf(header: string): string {
  const name = header.toLowerCase();
  if (!/^[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(name) || isConnectionField(name)) {
    throw new TypeError(`HTTP/2 carries no header ${JSON.stringify(header)}`);
  }
  if (fieldNames.size < maxFieldNames) {
    fieldNames.set(header, name);
  }
  return name;
}

function checkedValue(name: string, value: string): string {
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
    throw new TypeError(`a character of the header ${name} cannot be sent`);
  }
  return value;
}
