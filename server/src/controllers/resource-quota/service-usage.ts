import { type JsonObject, parseQuantity } from "@gatehouse/envelopes";
import { integerAt, listAt, textAt, valueAt } from "../../objects/json-fields.js";
import { one, type ResourceList, zero } from "./resource-list.js";

/** Resources that services use, by the names that quotas have for them. */
export function isServiceResource(name: string): boolean {
  return ["services", "count/services", "services.nodeports", "services.loadbalancers"].includes(name);
}

/** What a service uses: itself, ports of all nodes, and a load balancer. */
export function serviceUsage(service: JsonObject): ResourceList {
  const type = textAt(service, "spec", "type");
  return new Map([
    ["count/services", one],
    ["services", one],
    ["services.loadbalancers", type === "LoadBalancer" ? one : zero],
    ["services.nodeports", parseQuantity(String(countNodePorts(service, type)))],
  ]);
}

function countNodePorts(service: JsonObject, type: string): number {
  const ports = listAt(service, "spec", "ports");
  if (type !== "NodePort" && type !== "LoadBalancer") {
    return 0;
  }
  const isWithout = type === "LoadBalancer" && valueAt(service, "spec", "allocateLoadBalancerNodePorts") === false;
  return isWithout ? ports.filter((port) => integerAt(port, "nodePort") !== 0).length : ports.length;
}
