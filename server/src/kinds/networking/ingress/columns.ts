import {
  ageColumn,
  andMore,
  column,
  nameColumn,
  objectAge,
  scalarText,
  type TableDefinition,
} from "@gatehouse/apiserver/tables";
import { type JsonArray, listAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { loadBalancerAddresses } from "../../load-balancer-addresses.js";

const maxHosts = 3;

/** Table columns of Ingress: up to three hosts, the addresses of the load balancer, and 443 if there is TLS. */
export const ingressColumns: TableDefinition = {
  columns: [
    nameColumn,
    column("Class", "string", "Ingress class that serves the ingress."),
    column("Hosts", "string", "Host names of the rules."),
    column("Address", "string", "Addresses of the load balancer."),
    column("Ports", "string", "Ports on which the ingress is served."),
    ageColumn,
  ],
  cells(object, context) {
    return [
      textAt(object, "metadata", "name"),
      scalarText(valueAt(object, "spec", "ingressClassName"), "<none>"),
      ingressHosts(listAt(object, "spec", "rules")),
      loadBalancerAddresses(listAt(object, "status", "loadBalancer", "ingress")).join(","),
      listAt(object, "spec", "tls").length > 0 ? "80, 443" : "80",
      objectAge(object, context),
    ];
  },
};

/** Returns up to three hosts. As in v1.29, the number of hidden ones counts rules, with or without a host. */
function ingressHosts(rules: JsonArray): string {
  const hosts: string[] = [];
  let more = false;
  for (const rule of rules) {
    const host = textAt(rule, "host");
    if (hosts.length === maxHosts) {
      more = true;
    } else if (host !== "") {
      hosts.push(host);
    }
  }
  if (hosts.length === 0) {
    return "*";
  }
  return more ? andMore(hosts.join(","), rules.length - maxHosts) : hosts.join(",");
}
