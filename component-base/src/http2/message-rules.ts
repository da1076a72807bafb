/** Fields of one connection of HTTP/1.1, which no message of HTTP/2 has (RFC 9113, section 8.2.2). */
const connectionFields: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
]);

/** Reports whether a field, by its lower-case name, is one that no message of HTTP/2 has. */
export function isConnectionField(name: string): boolean {
  return connectionFields.has(name);
}

/** Returns the status of a response's head; undefined if the head is malformed (RFC 9113, section 8.3.2). */
export function statusOfResponse(fields: readonly string[]): number | undefined {
  const status = fields[1];
  const isStatus = fields[0] === ":status" && status !== undefined && /^[1-5][0-9][0-9]$/.test(status);
  return isStatus && areRegular(fields, 2) ? Number(status) : undefined;
}

/** Reports whether the head of a request is well-formed (RFC 9113, section 8.3.1). CONNECT is not served. */
export function isRequest(fields: readonly string[]): boolean {
  let at = 0;
  let seen = 0;
  for (; fields[at]?.startsWith(":") === true; at += 2) {
    const rule = requestFields.get(fields[at] as string);
    if (rule === undefined || (seen & rule.bit) !== 0 || !rule.value.test(fields[at + 1] as string)) {
      return false;
    }
    seen |= rule.bit;
  }
  return (seen & neededFields) === neededFields && areRegular(fields, at);
}

/** Pseudo-fields of requests: a bit for each, and what their values look like. */
const requestFields: ReadonlyMap<string, { readonly bit: number; readonly value: RegExp }> = new Map([
  [":method", { bit: 1, value: /^(?!CONNECT$)[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/ }],
  [":scheme", { bit: 2, value: /^https?$/ }],
  // Spaces and bytes above ASCII are no part of a URI, but Go's servers take them.
  [":path", { bit: 4, value: /^(\/[ -\xff]*|\*)$/ }],
  [":authority", { bit: 8, value: /^[\t -\xff]*$/ }],
]);
const neededFields = 1 | 2 | 4;

/** Reports whether trailers are well-formed: they have no pseudo-fields. */
export function areTrailers(fields: readonly string[]): boolean {
  return areRegular(fields, 0);
}

/** Returns the first value of a field by its lower-case name; undefined if there is none. */
export function fieldValue(fields: readonly string[], name: string): string | undefined {
  for (let at = 0; at < fields.length; at += 2) {
    if (fields[at] === name) {
      return fields[at + 1];
    }
  }
  return undefined;
}

/** Returns the length that a head announces; undefined if it announces none, and NaN for one that is no number. */
export function announcedLength(fields: readonly string[]): number | undefined {
  let length: string | undefined;
  for (let at = 0; at < fields.length; at += 2) {
    if (fields[at] === "content-length") {
      if (length !== undefined && length !== fields[at + 1]) {
        return Number.NaN;
      }
      length = fields[at + 1];
    }
  }
  return length === undefined ? undefined : /^[0-9]{1,15}$/.test(length) ? Number(length) : Number.NaN;
}

function areRegular(fields: readonly string[], start: number): boolean {
  for (let at = start; at < fields.length; at += 2) {
    const name = fields[at] as string;
    if (name.charCodeAt(0) === 0x3a || connectionFields.has(name) || (name === "te" && fields[at + 1] !== "trailers")) {
      return false;
    }
  }
  return true;
}
