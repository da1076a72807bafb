import { parseQuantity } from "@gatehouse/envelopes/codec";
import { integerAt, type JsonObject, listAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import type { QuotaEvaluator } from "./quota-evaluator.js";
import { one, type ResourceList, zero } from "./resource-list.js";

const names = ["services", "count/services", "services.nodeports", "services.loadbalancers"];

/** The evaluator of services: they count with their node ports, and a load balancer. */
export const serviceEvaluator: QuotaEvaluator = {
  resource: Object.freeze({ group: "", resource: "services" }),
  isCountOnly: false,
  changes: () => true,
  matches: (name) => names.includes(name),
  usage: serviceUsage,
  isInScope: () => false,
};

function serviceUsage(service: JsonObject): ResourceList {
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
