import { type JsonObject, objectAt } from "@gatehouse/envelopes/json";
import {
  clusterIPsOf,
  headlessAddress,
  healthCheckNodePortOf,
  nodePortsOf,
  takesClusterIP,
  takesHealthCheckNodePort,
} from "../service-fields.js";

/** Returns the addresses that a stored service holds. */
export function heldAddresses(service: JsonObject): readonly string[] {
  const spec = objectAt(service, "spec");
  const addresses = clusterIPsOf(spec);
  if (!takesClusterIP(spec) || addresses[0] === headlessAddress) {
    return [];
  }
  return addresses;
}

/** Returns the ports on nodes that a stored service holds, each once. */
export function heldNodePorts(service: JsonObject): readonly number[] {
  const spec = objectAt(service, "spec");
  const ports = new Set(nodePortsOf(spec));
  const healthCheckNodePort = healthCheckNodePortOf(spec);
  if (takesHealthCheckNodePort(spec) && healthCheckNodePort > 0) {
    ports.add(healthCheckNodePort);
  }
  return [...ports];
}
