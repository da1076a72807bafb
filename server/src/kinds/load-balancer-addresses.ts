import { type JsonArray, textAt } from "@gatehouse/envelopes/json";

/**
 * Returns the addresses of a load balancer, sorted and without duplicates: the IP of an entry, or else its host name.
 */
export function loadBalancerAddresses(ingress: JsonArray): string[] {
  const addresses = new Set<string>();
  for (const entry of ingress) {
    const address = textAt(entry, "ip") || textAt(entry, "hostname");
    if (address !== "") {
      addresses.add(address);
    }
  }
  return [...addresses].sort();
}
