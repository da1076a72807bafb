import { isIPv4, isIPv6 } from "node:net";
import type { NetworkInterfaceInfo } from "node:os";
import type { IPFamily } from "@gatehouse/apiserver/options";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { problemAt } from "@gatehouse/component-base/problems";
import type { ServerConfig } from "../../options/server-config.js";

/** The network interfaces of the machine, in the form of `os.networkInterfaces`. */
export type NetworkInterfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

/**
 * Returns the address under which others reach this server, for the endpoints of the `kubernetes` Service: the
 * configured one, the bind address when it is a particular one, else that of a network interface (as in v1.29, also for
 * a server that listens on loopback only). A machine without a network has its loopback address. Throws
 * ConfigurationError where the process may not read the interfaces.
 */
export function advertisedAddress(
  config: Pick<ServerConfig, "advertiseAddress" | "bindAddress" | "serviceRanges">,
  interfaces: () => NetworkInterfaces,
): string {
  const { advertiseAddress, bindAddress } = config;
  if (advertiseAddress !== undefined) {
    return advertiseAddress;
  }
  return isExternal(bindAddress)
    ? bindAddress
    : (firstExternalAddress(listed(interfaces), config.serviceRanges[0].family) ?? "127.0.0.1");
}

function listed(interfaces: () => NetworkInterfaces): NetworkInterfaces {
  try {
    return interfaces();
  } catch (error) {
    // A sandbox without netlink sockets, such as a systemd unit that leaves AF_NETLINK out.
    const problem = `must be given, since the network interfaces cannot be listed (${(error as Error).message})`;
    throw new ConfigurationError("flags", [problemAt("--advertise-address", problem)]);
  }
}

/** Reports whether machines on the network can have the address: no loopback, unspecified or link-local ones. */
export function isExternal(address: string): boolean {
  if (isIPv4(address)) {
    const [first, second] = address.split(".").map(Number) as [number, number, number, number];
    const linkLocalMulticast = address.startsWith("224.0.0.");
    return first !== 127 && address !== "0.0.0.0" && !(first === 169 && second === 254) && !linkLocalMulticast;
  }
  return isIPv6(address) && address !== "::" && address !== "::1" && !/^(fe[89ab]|ff[0-9a-f]2:)/i.test(address);
}

/** Returns the first external address, those of the family of the kubernetes Service first; undefined for none. */
function firstExternalAddress(interfaces: NetworkInterfaces, preferred: IPFamily): string | undefined {
  const others = Object.values(interfaces).flatMap((list) => list?.filter(({ internal }) => !internal) ?? []);
  // Node takes 4 ms to look at its first IPv6 address, which the start of a server seldom needs.
  const inOrder = [...others.filter(({ family }) => family === preferred), ...others];
  return inOrder.find(({ address }) => isExternal(address))?.address;
}
