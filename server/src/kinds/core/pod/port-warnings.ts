import { integerAt, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { allContainers } from "./container-warnings.js";

interface Port {
  readonly at: string;
  readonly hostIP: string;
  readonly hostPort: number | bigint;
}

/** Returns the warnings about the ports of all containers of a pod, which share one address. */
export function portWarnings(spec: JsonObject, at: string): readonly string[] {
  const warnings: string[] = [];
  const known = new Map<string, Port[]>();
  for (const [container, path] of allContainers(spec, at)) {
    for (const [index, item] of listAt(container, "ports").entries()) {
      const port = {
        at: `${path}.ports[${index}]`,
        hostIP: textAt(item, "hostIP"),
        hostPort: integerAt(item, "hostPort"),
      };
      if (port.hostIP !== "" && port.hostPort === 0) {
        warnings.push(`${port.at}: hostIP set without hostPort: ${goText(item as JsonObject)}`);
      }
      const key = `${integerAt(item, "containerPort")}/${textAt(item, "protocol")}`;
      const others = known.get(key) ?? [];
      for (const other of others) {
        const conflict = conflictOf(port, other);
        if (conflict !== undefined) {
          warnings.push(`${port.at}: ${conflict} port definition with ${other.at}`);
        }
      }
      known.set(key, [...others, port]);
    }
  }
  return warnings;
}

/** Returns the kind of conflict between two definitions of one port of a pod; undefined for none. */
function conflictOf(port: Port, other: Port): string | undefined {
  if (port.hostIP === other.hostIP && port.hostPort === other.hostPort) {
    return "duplicate";
  }
  if (port.hostPort === 0 || other.hostPort === 0) {
    return "overlapping";
  }
  // One of them is for every address of the host.
  const oneIsForAll = (port.hostIP === "") !== (other.hostIP === "");
  return port.hostPort === other.hostPort && oneIsForAll ? "dangerously ambiguous" : undefined;
}

/** Returns a port as Go prints the struct, with Go's member names. */
function goText(port: JsonObject): string {
  const number = (member: string): number | bigint => integerAt(port, member);
  const text = (member: string): string => textAt(port, member);
  return `{Name:${text("name")} HostPort:${number("hostPort")} ContainerPort:${number("containerPort")} Protocol:${text("protocol")} HostIP:${text("hostIP")}}`;
}
