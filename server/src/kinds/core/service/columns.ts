import {
  ageColumn,
  column,
  labelMap,
  nameColumn,
  objectAge,
  type TableDefinition,
  wideColumn,
} from "@gatehouse/apiserver/tables";
import { integerAt, type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { loadBalancerAddresses } from "../../load-balancer-addresses.js";

/**
 * Table columns of Service: its addresses inside and outside the cluster; `<pending>` while a load balancer has none.
 */
export const serviceColumns: TableDefinition = {
  columns: [
    nameColumn,
    column("Type", "string", "How the service is exposed."),
    column("Cluster-IP", "string", "First virtual address inside the cluster."),
    column("External-IP", "string", "Addresses at which the service can be reached from outside the cluster."),
    column("Port(s)", "string", "Ports of the service, with node ports where there are any."),
    ageColumn,
    wideColumn("Selector", "string", "Labels by which the pods behind the service are found."),
  ],
  cells(object, context) {
    return [
      textAt(object, "metadata", "name"),
      textAt(object, "spec", "type"),
      listAt(object, "spec", "clusterIPs").map(String)[0] ?? "<none>",
      externalAddresses(object),
      servicePorts(object) || "<none>",
      objectAge(object, context),
      labelMap(objectAt(object, "spec", "selector")),
    ];
  },
};

function externalAddresses(object: JsonObject): string {
  const externalIPs = listAt(object, "spec", "externalIPs").map(String);
  switch (textAt(object, "spec", "type")) {
    case "ClusterIP":
    case "NodePort":
      return externalIPs.join(",") || "<none>";
    case "LoadBalancer":
      return (
        [...loadBalancerAddresses(listAt(object, "status", "loadBalancer", "ingress")), ...externalIPs].join(",") ||
        "<pending>"
      );
    case "ExternalName":
      return textAt(object, "spec", "externalName");
    default:
      return "<unknown>";
  }
}

function servicePorts(object: JsonObject): string {
  return listAt(object, "spec", "ports")
    .map((port) => {
      const nodePort = integerAt(port, "nodePort");
      const number = nodePort > 0 ? `${integerAt(port, "port")}:${nodePort}` : String(integerAt(port, "port"));
      return `${number}/${textAt(port, "protocol")}`;
    })
    .join(",");
}
