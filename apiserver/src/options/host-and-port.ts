import { isIPv6 } from "node:net";

/** Joins a host, which may be an IPv6 address, and a port; a host that has a port of its own keeps it. */
export function hostAndPort(host: string, port: number): string {
  const hasPort = /^(?:[^:]*|\[[^\]]*\]):\d+$/.test(host);
  return hasPort ? host : `${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
