import { isIPv4, isIPv6 } from "node:net";
import type { NetworkInterfaceInfo } from "node:os";
import type { ServerConfig } from "../config.js";

/** The network interfaces of the machine, as `os.networkInterfaces` tells them. */
export type NetworkInterfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

/**
 * The address under which others reach this server, for the endpoints of the `kubernetes` Service: the configured one,
 * the bind address when it is a particular one, or that of a network interface when the server listens on all of them.
 * Undefined when there is none that endpoints may have (core/v1 EndpointAddress: no loopback, unspecified or link-local
 * addresses), as when the server listens on 127.0.0.1 only.
 */
export function advertisedAddress(
  config: Pick<ServerConfig, "advertiseAddress" | "bindAddress">,
  interfaces: () => NetworkInterfaces,
): string | undefined {
  const { advertiseAddress, bindAddress } = config;
  if (advertiseAddress !== undefined) {
    return isPublishable(advertiseAddress) ? advertiseAddress : undefined;
  }
  if (!isUnspecified(bindAddress)) {
    return isPublishable(bindAddress) ? bindAddress : undefined;
  }
  return firstExternalAddress(interfaces());
}

function isUnspecified(address: string): boolean {
  return address === "" || address === "0.0.0.0" || address === "::";
}

/** Whether an Endpoints object may name the address. */
export function isPublishable(address: string): boolean {
  if (isIPv4(address)) {
    const [first, second] = address.split(".").map(Number) as [number, number, number, number];
    const linkLocalMulticast = address.startsWith("224.0.0.");
    return first !== 127 && !isUnspecified(address) && !(first === 169 && second === 254) && !linkLocalMulticast;
  }
  return isIPv6(address) && !isUnspecified(address) && address !== "::1" && !/^(fe[89ab]|ff[0-9a-f]2:)/i.test(address);
}

/** IPv4 first, since the service range is IPv4. */
function firstExternalAddress(interfaces: NetworkInterfaces): string | undefined {
  const addresses = Object.values(interfaces)
    .flatMap((list) => list ?? [])
    .filter(({ internal, address }) => !internal && isPublishable(address));
  return (addresses.find(({ family }) => family === "IPv4") ?? addresses[0])?.address;
}
