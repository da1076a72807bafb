import { integerAt, type JsonObject, listAt, textAt } from "@gatehouse/envelopes";

/** What the spec of a service says; all of these read it and change nothing. */

/** In the place of an address: the service has none, its name leads to its pods. */
export const headlessAddress = "None";

/** All types but ExternalName. */
export function takesClusterIP(spec: JsonObject): boolean {
  return textAt(spec, "type") !== "ExternalName";
}

/** `None` is the only address. */
export function isHeadless(spec: JsonObject): boolean {
  const addresses = clusterIPsOf(spec);
  return addresses.length === 1 && addresses[0] === headlessAddress;
}

/** A load balancer outside of the cluster leads to it. */
export function isLoadBalancer(spec: JsonObject): boolean {
  return textAt(spec, "type") === "LoadBalancer";
}

/** NodePort and LoadBalancer, even if the latter may do without. */
export function takesNodePorts(spec: JsonObject): boolean {
  return textAt(spec, "type") === "NodePort" || isLoadBalancer(spec);
}

/** A load balancer asks each node whether it has pods of the service, when only those get traffic. */
export function takesHealthCheckNodePort(spec: JsonObject): boolean {
  return isLoadBalancer(spec) && textAt(spec, "externalTrafficPolicy") === "Local";
}

/** Empty when none has been allocated; what is not text is left out. */
export function clusterIPsOf(spec: JsonObject): readonly string[] {
  return listAt(spec, "clusterIPs").filter((item) => typeof item === "string");
}

/** Empty when none has been chosen; what is not text is left out. */
export function ipFamiliesOf(spec: JsonObject): readonly string[] {
  return listAt(spec, "ipFamilies").filter((item) => typeof item === "string");
}

/** Checked already: the schema lets nothing but objects in. */
export function portsOf(spec: JsonObject): readonly JsonObject[] {
  return listAt(spec, "ports") as JsonObject[];
}

/** 0 when it is not set. */
export function nodePortOf(port: JsonObject): number {
  return Number(integerAt(port, "nodePort"));
}

/** 0 when it is not set. */
export function healthCheckNodePortOf(spec: JsonObject): number {
  return Number(integerAt(spec, "healthCheckNodePort"));
}

/** The node ports of a service, without the one for health checks; each once. */
export function nodePortsOf(spec: JsonObject): ReadonlySet<number> {
  const ports = new Set(portsOf(spec).map(nodePortOf));
  ports.delete(0);
  return ports;
}

/** The same items in the same order. */
export function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
