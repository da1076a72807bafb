import type { IncomingHttpHeaders } from "node:http";

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
