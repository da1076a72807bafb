import { type JsonObject, objectAt, ownObject, textAt } from "@gatehouse/envelopes/json";
import {
  clusterIPsOf,
  healthCheckNodePortOf,
  nodePortOf,
  nodePortsOf,
  portsOf,
  sameList,
  takesClusterIP,
  takesHealthCheckNodePort,
  takesNodePorts,
} from "../service-fields.js";

/** Copies `clusterIP` to an absent `clusterIPs`: clients that know only the older member mean both. */
export function completeClusterIPs(service: JsonObject): void {
  const spec = ownObject(service, "spec");
  const address = textAt(spec, "clusterIP");
  if (address !== "" && clusterIPsOf(spec).length === 0) {
    spec["clusterIPs"] = [address];
  }
}

/**
 * Restores members that the server allocates and an update leaves out. Clients that change `clusterIP` alone mean
 * `clusterIPs`, too.
 */
export function carryAllocatedMembers(service: JsonObject, old: JsonObject): void {
  const spec = ownObject(service, "spec");
  const oldSpec = objectAt(old, "spec");
  if (takesClusterIP(oldSpec) && takesClusterIP(spec)) {
    carryClusterIPs(spec, oldSpec);
  }
  alignClusterIPs(spec, oldSpec);
  if (takesNodePorts(oldSpec) && takesNodePorts(spec)) {
    carryNodePorts(spec, oldSpec);
  }
  const healthPort = healthCheckNodePortOf(oldSpec);
  if (takesHealthCheckNodePort(oldSpec) && takesHealthCheckNodePort(spec) && healthPort !== 0) {
    if (healthCheckNodePortOf(spec) === 0) {
      spec["healthCheckNodePort"] = healthPort;
    }
  }
}

function carryClusterIPs(spec: JsonObject, oldSpec: JsonObject): void {
  if (textAt(spec, "clusterIP") === "" && textAt(oldSpec, "clusterIP") !== "") {
    spec["clusterIP"] = textAt(oldSpec, "clusterIP");
  }
  if (clusterIPsOf(spec).length === 0 && clusterIPsOf(oldSpec).length > 0) {
    spec["clusterIPs"] = [...clusterIPsOf(oldSpec)];
  }
}

function alignClusterIPs(spec: JsonObject, oldSpec: JsonObject): void {
  const address = textAt(spec, "clusterIP");
  const oldAddress = textAt(oldSpec, "clusterIP");
  const oldAddresses = clusterIPsOf(oldSpec);
  if (address === oldAddress) {
    if (clusterIPsOf(spec).length === 0 && oldAddresses.length > 0) {
      spec["clusterIPs"] = [...oldAddresses];
    }
  } else if (sameList(clusterIPsOf(spec), oldAddresses)) {
    if (address === "") {
      delete spec["clusterIPs"];
    } else {
      spec["clusterIPs"] = [address];
    }
  }
}

/** Restores the node port of a port by its name, unless the client has given that number to another port. */
function carryNodePorts(spec: JsonObject, oldSpec: JsonObject): void {
  const used = nodePortsOf(spec);
  const byName = new Map(portsOf(oldSpec).map((port) => [textAt(port, "name"), nodePortOf(port)]));
  for (const port of portsOf(spec)) {
    const nodePort = byName.get(textAt(port, "name")) ?? 0;
    if (nodePortOf(port) === 0 && nodePort !== 0 && !used.has(nodePort)) {
      port["nodePort"] = nodePort;
    }
  }
}
