import { isIPv4 } from "node:net";
import type { RegistrySource } from "@gatehouse/apiserver/registry";
import { type Connect, splitSchemeNamePort } from "@gatehouse/apiserver/subresources";
import { goQuote } from "@gatehouse/envelopes/go";
import { listAt, textAt } from "@gatehouse/envelopes/json";
import { badRequest, StatusError } from "@gatehouse/envelopes/status";
import { readNamed } from "../read-named.js";
import { checkContainer, failAtNode } from "./pod-on-node.js";

/** Returns the handler of a pod's /exec and /attach, which lead to one of its containers. */
export function connectToContainer(liveRegistry: RegistrySource): Connect {
  return async (connection) => {
    const { context, served, options } = connection;
    const pod = await readNamed(served, context.info.namespace, context.info.name);
    checkContainer(pod, textAt(options, "container"));
    await failAtNode(liveRegistry, served, pod);
  };
}

/** Returns the handler of a pod's /portforward. */
export function connectToPorts(liveRegistry: RegistrySource): Connect {
  return async ({ context, served }) =>
    failAtNode(liveRegistry, served, await readNamed(served, context.info.namespace, context.info.name));
}

/** Handles /proxy of a pod. */
export const connectPodProxy: Connect = async ({ context, served }) => {
  const { name, namespace } = context.info;
  const id = splitSchemeNamePort(name);
  if (id === undefined) {
    throw badRequest(`invalid pod request ${goQuote(name)}`);
  }
  const pod = await readNamed(served, namespace, id.name);
  const [first] = listAt(pod, "status", "podIPs");
  if (!isGlobalUnicast(textAt(first, "ip"))) {
    throw badRequest("address not allowed");
  }
  throw new StatusError(503, "ServiceUnavailable", "this server does not connect to pods");
};

/** Reports whether a text is an IP address that is neither loopback, link-local nor multicast. */
function isGlobalUnicast(address: string): boolean {
  if (isIPv4(address)) {
    const [first = 0, second] = address.split(".").map(Number);
    return first !== 0 && first !== 127 && first < 224 && !(first === 169 && second === 254);
  }
  return address.includes(":") && address !== "::" && address !== "::1" && !/^f[ef][89a-f]?/i.test(address);
}
