import { type IpAddress, ipText, parseIp } from "../options/ip-address.js";
import type { Exchange } from "../request/exchange.js";

/** The part of a request that tells where it comes from. */
type AddressedExchange = Pick<Exchange, "headers" | "headerValues" | "socket">;

/**
 * Returns the addresses that a request comes from, as v1.29 lists them: those of proxies (X-Forwarded-For, then
 * X-Real-Ip if it differs), which clients can forge, and last that of the connection, which they cannot. Invalid
 * addresses are left out.
 */
export function sourceIps(exchange: AddressedExchange): readonly string[] {
  const found: IpAddress[] = [];
  for (const part of firstOf(exchange, "x-forwarded-for").split(",")) {
    const ip = part === "" ? undefined : parseIp(part.trim());
    if (ip !== undefined) {
      found.push(ip);
    }
  }
  const real = parseIp(firstOf(exchange, "x-real-ip"));
  if (real !== undefined && !found.some((ip) => isSame(ip, real))) {
    found.push(real);
  }
  const remote = parseIp(exchange.socket?.remoteAddress ?? "");
  const last = found.at(-1);
  if (remote !== undefined && (last === undefined || !isSame(last, remote))) {
    found.push(remote);
  }
  return found.map(ipText);
}

/** Returns the value of a header; of several, v1.29 reads the first alone. */
function firstOf(exchange: AddressedExchange, name: string): string {
  return exchange.headers[name] === undefined ? "" : (exchange.headerValues(name)[0] ?? "");
}

function isSame(a: IpAddress, b: IpAddress): boolean {
  return a.family === b.family && a.value === b.value;
}
