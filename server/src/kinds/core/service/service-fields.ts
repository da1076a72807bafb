import { integerAt, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";

/* Readers of the spec of a service; none of them changes it. */

/** The value of `clusterIP` of a headless service, whose name leads to its pods. */
export const headlessAddress = "None";

/** Reports whether a service takes a cluster IP: all types but ExternalName do. */
export function takesClusterIP(spec: JsonObject): boolean {
  return textAt(spec, "type") !== "ExternalName";
}

/** Reports whether a service is headless: `None` is its only address. */
export function isHeadless(spec: JsonObject): boolean {
  const addresses = clusterIPsOf(spec);
  return addresses.length === 1 && addresses[0] === headlessAddress;
}

/** Reports whether a service has a load balancer outside the cluster. */
export function isLoadBalancer(spec: JsonObject): boolean {
  return textAt(spec, "type") === "LoadBalancer";
}

/** Reports whether a service is a NodePort or LoadBalancer, even if the latter may do without node ports. */
export function takesNodePorts(spec: JsonObject): boolean {
  return textAt(spec, "type") === "NodePort" || isLoadBalancer(spec);
}

/** Reports whether a load balancer asks each node for pods of the service, because only nodes with pods get traffic. */
export function takesHealthCheckNodePort(spec: JsonObject): boolean {
  return isLoadBalancer(spec) && textAt(spec, "externalTrafficPolicy") === "Local";
}

/** Returns the addresses of a service; empty before they are allocated. Items that are not text are left out. */
export function clusterIPsOf(spec: JsonObject): readonly string[] {
  return listAt(spec, "clusterIPs").filter((item) => typeof item === "string");
}

/** Returns the IP families of a service; empty before they are chosen. Items that are not text are left out. */
export function ipFamiliesOf(spec: JsonObject): readonly string[] {
  return listAt(spec, "ipFamilies").filter((item) => typeof item === "string");
}

/** Returns the ports of a service. The schema lets only objects in. */
export function portsOf(spec: JsonObject): readonly JsonObject[] {
  return listAt(spec, "ports") as JsonObject[];
}

/** Returns the node port of a port; 0 when it is not set. */
export function nodePortOf(port: JsonObject): number {
  return Number(integerAt(port, "nodePort"));
}

/** Returns the port for health checks; 0 when it is not set. */
export function healthCheckNodePortOf(spec: JsonObject): number {
  return Number(integerAt(spec, "healthCheckNodePort"));
}

/** Returns the node ports of a service, each once, without the one for health checks. */
export function nodePortsOf(spec: JsonObject): ReadonlySet<number> {
  const ports = new Set(portsOf(spec).map(nodePortOf));
  ports.delete(0);
  return ports;
}

/** Reports whether two lists have the same items in the same order. */
export function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
