import { randomInt } from "node:crypto";
import { forwardToLocation, joinPaths } from "@gatehouse/apiserver/reverse-proxy";
import { type Connect, splitSchemeNamePort } from "@gatehouse/apiserver/subresources";
import { goQuote } from "@gatehouse/envelopes/go";
import { integerAt, type JsonObject, type JsonValue, listAt, textAt } from "@gatehouse/envelopes/json";
import { badRequest, notFound, type StatusError, serviceUnavailable } from "@gatehouse/envelopes/status";
import type { NodeCalls } from "../../../kubelet-client/node-calls.js";
import { backendAt } from "../backend-at.js";
import { findNamed, readNamed } from "../read-named.js";

/** Returns the handler of a service's /proxy, which leads to one of its endpoints. */
export function connectServiceProxy(calls: NodeCalls): Connect {
  const { liveRegistry, transports, withoutCredentials } = calls;
  return async ({ context, served, options }) => {
    const { name, namespace } = context.info;
    const id = splitSchemeNamePort(name);
    if (id === undefined) {
      throw badRequest(`invalid service request ${goQuote(name)}`);
    }
    const portName = /^[+-]?\d+$/.test(id.port)
      ? portNamed(await readNamed(served, namespace, id.name), id.name, Number(id.port))
      : id.port;
    const endpoints = await findNamed(liveRegistry.current.find("", "v1", "endpoints"), namespace, id.name);
    if (endpoints === undefined) {
      // v1.29 names the service, whether it exists or not.
      throw notFound(served, id.name);
    }
    const subsets = listAt(endpoints, "subsets");
    if (subsets.length === 0) {
      throw noEndpoints(id.name);
    }
    for (const subset of fromAnywhere(subsets)) {
      const port = listAt(subset, "ports").find((item) => textAt(item, "name") === portName);
      const address = port === undefined ? undefined : await addressOf(calls, subset, namespace);
      if (port !== undefined && address !== undefined) {
        const backend = backendAt(id.scheme, address, String(integerAt(port, "port")));
        return forwardToLocation(
          context,
          { backend, path: joinPaths("", textAt(options, "path")), query: "" },
          { transport: transports.proxy, upgradeRequired: false, rewritesLinks: true, withoutCredentials },
        );
      }
    }
    throw noEndpoints(name);
  };
}

/** Returns an address of a subset, beginning anywhere, that is the address of a pod; undefined if none is. */
async function addressOf(
  { liveRegistry }: NodeCalls,
  subset: JsonValue,
  namespace: string,
): Promise<string | undefined> {
  for (const address of fromAnywhere(listAt(subset, "addresses"))) {
    const ip = textAt(address, "ip");
    if (textAt(address, "targetRef", "namespace") !== namespace) {
      continue;
    }
    const pods = liveRegistry.current.find("", "v1", "pods");
    const pod = await findNamed(pods, namespace, textAt(address, "targetRef", "name"));
    if (listAt(pod, "status", "podIPs").some((item) => textAt(item, "ip") === ip)) {
      return ip;
    }
  }
}

/** Returns the items in their order, from any of them on. */
function fromAnywhere<T>(items: readonly T[]): readonly T[] {
  const first = items.length === 0 ? 0 : randomInt(items.length);
  return [...items.slice(first), ...items.slice(0, first)];
}

function portNamed(service: JsonObject, name: string, number: number): string {
  const port = listAt(service, "spec", "ports").find((item) => Number(integerAt(item, "port")) === number);
  if (port === undefined) {
    throw serviceUnavailable(`no service port ${number} found for service ${goQuote(name)}`);
  }
  return textAt(port, "name");
}

function noEndpoints(name: string): StatusError {
  return serviceUnavailable(`no endpoints available for service ${goQuote(name)}`);
}
