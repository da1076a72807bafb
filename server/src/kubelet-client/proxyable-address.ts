import { lookup } from "node:dns/promises";
import { parseIp } from "@gatehouse/apiserver/validation";
import { badRequest } from "@gatehouse/envelopes/status";

/** Reports whether a text is an IP address that is neither unspecified, loopback, link-local, multicast nor broadcast. */
export function isProxyableAddress(text: string): boolean {
  const ip = parseIp(text);
  if (ip === undefined) {
    return false;
  }
  const { family, value } = ip;
  if (family === "IPv4") {
    const first = value >> 24n;
    return value !== 0n && value !== 0xffff_ffffn && first !== 127n && first >> 4n !== 0xen && value >> 16n !== 0xa9fen;
  }
  return value > 1n && value >> 120n !== 0xffn && value >> 118n !== 0xfe80n >> 6n;
}

/** Throws 400 if a host, or an address of its, must not be reached through this server. */
export async function checkProxyableHost(host: string): Promise<void> {
  let addresses: readonly { readonly address: string }[];
  try {
    addresses = await lookup(host, { all: true });
  } catch (error) {
    throw badRequest(`lookup ${host}: no such host`, error);
  }
  if (!addresses.every(({ address }) => isProxyableAddress(address))) {
    throw badRequest("address not allowed");
  }
}
