import type { JsonObject } from "@gatehouse/envelopes";
import { integerAt, isSet, listAt, objectAt, textAt, valueAt } from "../json-fields.js";
import { ownObject } from "../own-members.js";
import type { ResourceStrategy } from "../resource-definition.js";
import { sameJson } from "../verbs/same-json.js";

/**
 * What is special about updates of services. Some members are allocated by the server, and many clients send an object
 * without them: such members are carried over. Others make no sense with the new type and are dropped, unless the client
 * has changed them, too, which validation then refuses.
 */
export const serviceStrategy: ResourceStrategy = {
  prepareForUpdate(service, old) {
    carryAllocatedMembers(service, old);
    dropMembersOfOtherTypes(service, old);
  },
};

function carryAllocatedMembers(service: JsonObject, old: JsonObject): void {
  const spec = ownObject(service, "spec");
  const oldSpec = objectAt(old, "spec");
  if (hasClusterIP(oldSpec) && hasClusterIP(spec)) {
    if (textAt(spec, "clusterIP") === "" && textAt(oldSpec, "clusterIP") !== "") {
      spec["clusterIP"] = textAt(oldSpec, "clusterIP");
    }
    const sameIP = textAt(spec, "clusterIP") === textAt(oldSpec, "clusterIP");
    if (sameIP && listAt(spec, "clusterIPs").length === 0 && listAt(oldSpec, "clusterIPs").length > 0) {
      spec["clusterIPs"] = [...listAt(oldSpec, "clusterIPs")];
    }
  }
  if (hasNodePorts(oldSpec) && hasNodePorts(spec)) {
    carryNodePorts(spec, oldSpec);
  }
  const oldHealthPort = integerAt(oldSpec, "healthCheckNodePort");
  if (hasHealthPort(oldSpec) && hasHealthPort(spec) && oldHealthPort !== 0) {
    if (integerAt(spec, "healthCheckNodePort") === 0) {
      spec["healthCheckNodePort"] = oldHealthPort;
    }
  }
}

/** A port of the same name keeps its node port, unless the client has given that to another one. */
function carryNodePorts(spec: JsonObject, oldSpec: JsonObject): void {
  const used = nodePorts(spec);
  const byName = new Map(listAt(oldSpec, "ports").map((port) => [textAt(port, "name"), integerAt(port, "nodePort")]));
  for (const port of listAt(spec, "ports")) {
    const oldNodePort = byName.get(textAt(port, "name")) ?? 0;
    if (integerAt(port, "nodePort") === 0 && oldNodePort !== 0 && !used.has(Number(oldNodePort))) {
      (port as JsonObject)["nodePort"] = oldNodePort;
    }
  }
}

function dropMembersOfOtherTypes(service: JsonObject, old: JsonObject): void {
  const spec = ownObject(service, "spec");
  const oldSpec = objectAt(old, "spec");
  const dropIfUnchanged = (...names: string[]): void => {
    if (names.every((name) => sameJson(spec[name], oldSpec[name]))) {
      for (const name of names) {
        delete spec[name];
      }
    }
  };
  if (hasClusterIP(oldSpec) && !hasClusterIP(spec)) {
    dropIfUnchanged("clusterIP", "clusterIPs");
    dropIfUnchanged("ipFamilies");
    dropIfUnchanged("ipFamilyPolicy");
  }
  if (hasNodePorts(oldSpec) && !hasNodePorts(spec)) {
    dropNodePorts(spec, oldSpec);
  }
  if (hasHealthPort(oldSpec) && !hasHealthPort(spec)) {
    dropIfUnchanged("healthCheckNodePort");
  }
  if (isLoadBalancer(oldSpec) && !isLoadBalancer(spec)) {
    if (isSet(oldSpec, "allocateLoadBalancerNodePorts")) {
      dropIfUnchanged("allocateLoadBalancerNodePorts");
    }
    dropIfUnchanged("loadBalancerClass");
  }
  if (isExternallyAccessible(oldSpec) && !isExternallyAccessible(spec)) {
    dropIfUnchanged("externalTrafficPolicy");
  }
  if (!isLoadBalancer(spec) && isSet(service, "status")) {
    ownObject(service, "status")["loadBalancer"] = {};
  }
}

function dropNodePorts(spec: JsonObject, oldSpec: JsonObject): void {
  const oldPorts = nodePorts(oldSpec);
  for (const port of nodePorts(spec)) {
    if (!oldPorts.has(port)) {
      return;
    }
  }
  for (const port of listAt(spec, "ports")) {
    delete (port as JsonObject)["nodePort"];
  }
}

function nodePorts(spec: JsonObject): Set<number> {
  const ports = new Set(listAt(spec, "ports").map((port) => Number(integerAt(port, "nodePort"))));
  ports.delete(0);
  return ports;
}

function hasClusterIP(spec: JsonObject): boolean {
  return textAt(spec, "type") !== "ExternalName";
}

function isLoadBalancer(spec: JsonObject): boolean {
  return textAt(spec, "type") === "LoadBalancer";
}

function hasNodePorts(spec: JsonObject): boolean {
  return textAt(spec, "type") === "NodePort" || isLoadBalancer(spec);
}

function hasHealthPort(spec: JsonObject): boolean {
  return isLoadBalancer(spec) && textAt(spec, "externalTrafficPolicy") === "Local";
}

function isExternallyAccessible(spec: JsonObject): boolean {
  const type = valueAt(spec, "type");
  return hasNodePorts(spec) || (type === "ClusterIP" && listAt(spec, "externalIPs").length > 0);
}
