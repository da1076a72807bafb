import { ageColumn, column, firstN, nameColumn, objectAge, type TableDefinition } from "@gatehouse/apiserver/tables";
import { integerAt, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";

/** Table columns of Endpoints: the first three addresses with their ports, and the number of the rest. */
export const endpointsColumns: TableDefinition = {
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
