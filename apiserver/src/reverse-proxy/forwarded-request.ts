import { peerAddress } from "@gatehouse/component-base/addresses";
import type { Exchange } from "../request/exchange.js";
import type { HeaderFields } from "../request/header-fields.js";
import { endToEndFields, filterFields, valuesOf, withField } from "./forwarded-fields.js";

/** Returns the headers of a request for a backend: those of the client from end to end, with its address added. */
export function forwardedFields(exchange: Exchange): string[] {
  const { rawHeaders, headers } = exchange;
  let fields = endToEndFields(rawHeaders);
  const authority = headers[":authority"];
  if (typeof authority === "string" && authority !== "") {
    // A client of HTTP/2 gives as `:authority` what is Host to one of HTTP/1.1, and Host beside it has no meaning.
    const host = hostCharacters.test(authority) ? authority : "";
    if (headers.host === undefined) {
      fields.push("Host", host);
    } else {
      fields = withField(fields, "Host", host);
    }
  }
  const cookies = headers.cookie === undefined ? [] : valuesOf(fields, "cookie");
  if (cookies.length > 1) {
    // HTTP/2 allows one for each pair, HTTP/1.1 does not (RFC 9113, section 8.2.3).
    fields = withField(fields, "Cookie", cookies.join("; "));
  }
  if (headers.te !== undefined && /(^|,)\s*trailers\s*($|,)/i.test(String(headers.te))) {
    fields.push("Te", "trailers");
  }
  return withForwardedFor(exchange, fields);
}

/** Characters that Go's clients write in Host, and send an empty one for others. */
const hostCharacters = /^[!$%&'()*+,\-.0-9:;=A-Z[\]_a-z~]*$/;

/** Returns the headers of a request for another protocol: as they are, with the client's address added. */
export function forwardedUpgradeFields(exchange: Exchange): string[] {
  return withForwardedFor(exchange, [...exchange.rawHeaders]);
}

/** Returns the trailers that may be sent on: none that could frame a body or concern one connection. */
export function forwardedTrailers(trailers: HeaderFields): string[] {
  return filterFields(endToEndFields(trailers), (name) => name !== "content-length" && name !== "host");
}

/** Adds the client's address to X-Forwarded-For, several of which become one. */
function withForwardedFor({ socket, headers }: Exchange, fields: string[]): string[] {
  const address = socket && peerAddress(socket);
  if (address === undefined) {
    return fields;
  }
  const prior = headers["x-forwarded-for"] === undefined ? [] : valuesOf(fields, "x-forwarded-for");
  if (prior.length > 0) {
    return withField(fields, "X-Forwarded-For", [...prior, address].join(", "));
  }
  fields.push("X-Forwarded-For", address);
  return fields;
}
