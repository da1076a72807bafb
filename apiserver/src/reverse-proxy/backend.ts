import type { Readable } from "node:stream";
import type { HeaderFields } from "../request/header-fields.js";
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

/** The answer of a backend, whose content is still on its way. */
export interface BackendAnswer {
  readonly status: number;
  /** The text behind the code, which HTTP/2 does not have. */
  readonly statusText: string;
  readonly fields: HeaderFields;
  /** Must be read or destroyed. */
  readonly content: BackendContent;
}

/** The content of a backend's answer, as it comes. */
export interface BackendContent {
  /** The content as a stream. */
  readonly body: Readable;
  /** Reports, once the body has ended, whether the backend has sent all of it. */
  readonly isComplete: () => boolean;
  /** Returns the headers that followed the content, once it has ended. */
  readonly trailers: () => HeaderFields;
  /**
   * Takes all of the content if it is here, nothing of it was read, and no headers follow it: `length` bytes, or, where the
   * client is told no length, all that the backend has sent. Returns undefined otherwise.
   */
  takeWhole(length: number | undefined): Buffer | undefined;
  /** Ends the request, wherever it is. Does nothing once the content has been taken or has ended. */
  destroy(): void;
}

/** The texts that name a backend. */
interface BackendNames {
  readonly authority: string;
  readonly origin: string;
}

/** Names of backends that were asked before: whoever asks one again and again has one object for it. */
const known = new WeakMap<Backend, BackendNames>();

/** Returns the authority of a backend, as URLs and Host headers have it: always with its port. */
export function authorityOf(backend: Backend): string {
  return namesOf(backend).authority;
}

/** Returns the origin of a backend: its scheme and authority. */
export function originOf(backend: Backend): string {
  return namesOf(backend).origin;
}

function namesOf(backend: Backend): BackendNames {
  let names = known.get(backend);
  if (names === undefined) {
    const { scheme, host, port } = backend;
    const authority = `${host.includes(":") ? `[${host}]` : host}:${port}`;
    names = { authority, origin: `${scheme}://${authority}` };
    known.set(backend, names);
  }
  return names;
}
