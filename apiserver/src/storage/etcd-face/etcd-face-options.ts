import { isIP } from "node:net";

/** An address to listen on. */
export interface ListenUrl {
  readonly isSecure: boolean;
  /** An IP address, or `localhost`. */
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
}

/** Reads a URL of `--listen-etcd-urls`. Answers a sentence when it cannot be used. */
export function parseListenUrl(text: string): ListenUrl | string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return `"${text}" is not a URL`;
  }
  const { protocol, pathname, search, hash, username, password } = url;
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (protocol !== "http:" && protocol !== "https:") {
    return `"${text}" must begin with http:// or https://`;
  }
  if (pathname !== "/" || `${search}${hash}${username}${password}` !== "") {
    return `"${text}" must have nothing but a host and a port`;
  }
  if (isIP(host) === 0 && host !== "localhost") {
    return `"${text}" must have an IP address or localhost as its host`;
  }
  // The URL parser drops the default port of a protocol.
  const port = url.port === "" ? Number(/:(\d+)\/?$/.exec(text)?.[1] ?? Number.NaN) : Number(url.port);
  if (!Number.isInteger(port)) {
    return `"${text}" must have a port`;
  }
  const isSecure = protocol === "https:";
  if (!isSecure && !isLoopback(host)) {
    return `"${text}" would give everybody on the network full access to the store: plain http is for loopback addresses only; use https with client certificates`;
  }
  return { isSecure, host, port };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\./.test(host);
}
