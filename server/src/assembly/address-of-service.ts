import type { DialAddress } from "@gatehouse/component-base/http-client";
import { isJsonObject, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";

/** Returns the cluster address of a service, or the message of v1.29 where there is none. */
export function addressOfService(
  service: JsonObject | undefined,
  name: string,
  port: number,
): DialAddress | { readonly problem: string } {
  if (service === undefined) {
    return { problem: `service ${JSON.stringify(name)} not found` };
  }
  if (textAt(service, "spec", "type") === "ExternalName") {
    return { host: textAt(service, "spec", "externalName"), port };
  }
  const ports = listAt(service, "spec", "ports");
  if (!ports.some((candidate) => isJsonObject(candidate) && candidate["port"] === port)) {
    return { problem: `no service port ${port} found for service ${JSON.stringify(name)}` };
  }
  const host = textAt(service, "spec", "clusterIP");
  return host === "" || host === "None"
    ? { problem: `cannot route to service with ClusterIP ${JSON.stringify(host)}` }
    : { host, port };
}
