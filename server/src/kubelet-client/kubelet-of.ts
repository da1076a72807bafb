import type { Backend } from "@gatehouse/apiserver/reverse-proxy";
import { integerAt, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { StatusError } from "@gatehouse/envelopes/status";
import type { NodeCallsConfig } from "../options/kubelet.js";

/**
 * Returns the kubelet of a node: at the first address of the most wanted type, and the port that the node tells. Throws 500
 * if no address is of a wanted type.
 */
export function kubeletOf(node: JsonObject, { addressTypes, port }: NodeCallsConfig): Backend {
  const addresses = listAt(node, "status", "addresses");
  for (const wanted of addressTypes) {
    const found = addresses.find((address) => textAt(address, "type") === wanted);
    if (found !== undefined) {
      const own = Number(integerAt(node, "status", "daemonEndpoints", "kubeletEndpoint", "Port"));
      return { scheme: "https", host: textAt(found, "address"), port: own > 0 ? own : port };
    }
  }
  const known = addresses.map((address) => `{${textAt(address, "type")} ${textAt(address, "address")}}`);
  throw new StatusError(500, "", `no preferred addresses found; known addresses: [${known.join(" ")}]`);
}
