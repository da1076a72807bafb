import type { JsonObject } from "@gatehouse/envelopes";
import { integerAt, listAt, objectAt, textAt } from "../objects/json-fields.js";
import { objectAge } from "./duration.js";
import { labelMap } from "./labels.js";
import { loadBalancerAddresses } from "./load-balancer.js";
import { ageColumn, column, nameColumn, type TableDefinition, wideColumn } from "./table-definition.js";
import { firstN } from "./text-lists.js";

const service: TableDefinition = {
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

const endpoints: TableDefinition = {
  columns: [
    nameColumn,
    column("Endpoints", "string", "Addresses and ports that are ready to take traffic."),
    ageColumn,
  ],
  cells(object, context) {
    return [textAt(object, "metadata", "name"), endpointAddresses(object), objectAge(object, context)];
  },
};

function endpointAddresses(object: JsonObject): string {
  const subsets = listAt(object, "subsets");
  if (subsets.length === 0) {
    return "<none>";
  }
  const addresses: string[] = [];
  for (const subset of subsets) {
    const ips = listAt(subset, "addresses").map((address) => textAt(address, "ip"));
    const ports = listAt(subset, "ports");
    if (ports.length === 0) {
      // The endpoints of a headless service need no ports.
      addresses.push(...ips);
    }
    for (const port of ports) {
      for (const ip of ips) {
        addresses.push(hostPort(ip, integerAt(port, "port")));
      }
    }
  }
  return firstN(3, addresses);
}

function hostPort(host: string, port: number | bigint): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Services and endpoints. */
export const coreNetworkTables: Readonly<Record<string, TableDefinition>> = {
  Endpoints: endpoints,
  Service: service,
};
