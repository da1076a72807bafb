import type { Exchange } from "../request/exchange.js";
import { endToEndFields, filterFields, type HeaderFields, valuesOf, withField } from "./header-fields.js";

/** Returns the headers of a request for a backend: those of the client from end to end, with its address added. */
export function forwardedFields(exchange: Exchange): string[] {
  const { rawHeaders } = exchange;
  const wantsTrailers = valuesOf(rawHeaders, "te").some((value) => /(^|,)\s*trailers\s*($|,)/i.test(value));
  let fields = withHost(exchange, endToEndFields(rawHeaders));
  const cookies = valuesOf(fields, "cookie");
  if (cookies.length > 1) {
    // HTTP/2 allows one for each pair, HTTP/1.1 does not (RFC 9113, section 8.2.3).
    fields = withField(fields, "Cookie", cookies.join("; "));
  }
  if (wantsTrailers) {
    fields.push("Te", "trailers");
  }
  return withForwardedFor(exchange, fields);
}

/** Returns the headers of a request for another protocol: as they are, with the client's address added. */
export function forwardedUpgradeFields(exchange: Exchange): string[] {
  return withForwardedFor(exchange, exchange.rawHeaders);
}

/** Returns the trailers that may be sent on: none that could frame a body or concern one connection. */
export function forwardedTrailers(trailers: HeaderFields): string[] {
  return filterFields(endToEndFields(trailers), (name) => name !== "content-length" && name !== "host");
}

/** Returns the headers with Host first, which a client of HTTP/2 gives as `:authority`. */
function withHost(exchange: Exchange, fields: string[]): string[] {
  const authority = exchange.headers[":authority"];
  return typeof authority === "string" && valuesOf(fields, "host").length === 0
    ? ["Host", authority, ...fields]
    : fields;
}

/** Adds the client's address to X-Forwarded-For, several of which become one. */
function withForwardedFor({ socket }: Exchange, fields: HeaderFields): string[] {
  const address = socket?.remoteAddress;
  const prior = valuesOf(fields, "x-forwarded-for");
  return address === undefined ? [...fields] : withField(fields, "X-Forwarded-For", [...prior, address].join(", "));
}
