import type { Readable } from "node:stream";
import type { HeaderFields } from "./header-fields.js";
import type { Recipient } from "./recipient.js";

/** A server that requests are forwarded to. */
export interface Backend {
  readonly scheme: "http" | "https";
  /** Host name or address, IPv6 without brackets. Its certificate must be for it, unless the transport says otherwise. */
  readonly host: string;
  readonly port: number;
}

/** A request as a backend gets it. */
export interface BackendRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** All headers, with Host, without those of one connection. */
  readonly fields: HeaderFields;
  /** The body; absent for none. */
  readonly body?: Readable;
  /** Returns the headers that follow the body, once it has ended. */
  readonly trailers?: () => HeaderFields;
  /** Ends the request and its answer, wherever they are, when it closes. */
  readonly recipient: Recipient;
}

/** The answer of a backend, whose body is still on its way. */
export interface BackendAnswer {
  readonly status: number;
  /** The text behind the code, which HTTP/2 does not have. */
  readonly statusText: string;
  readonly fields: HeaderFields;
  /** Must be read or destroyed; destroying it ends the request. */
  readonly body: Readable;
  /** Reports whether all of the answer is here, be it unread. */
  readonly hasArrived: () => boolean;
  /** Reports, once the body has ended, whether the backend has sent all of it. */
  readonly isComplete: () => boolean;
  /** Returns the headers that followed the body, once it has ended. */
  readonly trailers: () => HeaderFields;
}

/** Returns the authority of a backend, as URLs and Host headers have it: always with its port. */
export function authorityOf({ host, port }: Backend): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}
