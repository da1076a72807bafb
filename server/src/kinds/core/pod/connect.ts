import { forwardToLocation, joinPaths } from "@gatehouse/apiserver/reverse-proxy";
import { type Connect, splitSchemeNamePort } from "@gatehouse/apiserver/subresources";
import { goQuote } from "@gatehouse/envelopes/go";
import { integerAt, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { badRequest } from "@gatehouse/envelopes/status";
import type { NodeCalls } from "../../../kubelet-client/node-calls.js";
import { isProxyableAddress } from "../../../kubelet-client/proxyable-address.js";
import { backendAt } from "../backend-at.js";
import { readNamed } from "../read-named.js";
import { containerOf } from "./container-of.js";
import { kubeletOfPod } from "./kubelet-of-pod.js";

/** The query of kubelets for the members of PodExecOptions and PodAttachOptions, in the order of Go's encoder. */
const streams = [
  ["error", "stderr"],
  ["input", "stdin"],
  ["output", "stdout"],
  ["tty", "tty"],
] as const;

/** Returns the handler of a pod's /exec or /attach, which lead to one of its containers through the kubelet. */
export function connectToContainer(calls: NodeCalls, operation: "attach" | "exec"): Connect {
  return async ({ context, served, options }) => {
    const { name, namespace } = context.info;
    const pod = await readNamed(served, namespace, name);
    const container = containerOf(pod, textAt(options, "container"));
    const backend = await kubeletOfPod(calls, served, pod);
    const query = new URLSearchParams();
    if (operation === "exec") {
      for (const word of listAt(options, "command")) {
        query.append("command", String(word));
      }
    }
    for (const [parameter, member] of streams) {
      if (options[member] === true) {
        query.append(parameter, "1");
      }
    }
    const path = `/${operation}/${namespace}/${name}/${container}`;
    if (calls.translatesStreams) {
      // Few servers have the gate, so the others start without its modules.
      const { asksForStreamClose, translateStreams } = await import("@gatehouse/apiserver/stream-translation");
      if (asksForStreamClose(context.exchange)) {
        const asked = (member: string): boolean => options[member] === true;
        await translateStreams(context, {
          transport: calls.transports.kubelet,
          backend,
          target: `${path}?${query}`,
          streams: { stdin: asked("stdin"), stdout: asked("stdout"), stderr: asked("stderr"), tty: asked("tty") },
        });
        return;
      }
    }
    await toKubelet(calls, context, { backend, path, query: String(query) });
  };
}

/** Returns the handler of a pod's /portforward. */
export function connectToPorts(calls: NodeCalls): Connect {
  return async ({ context, served, options }) => {
    const { name, namespace } = context.info;
    const backend = await kubeletOfPod(calls, served, await readNamed(served, namespace, name));
    const ports = listAt(options, "ports").join(",");
    const query = ports === "" ? "" : String(new URLSearchParams({ port: ports }));
    await toKubelet(calls, context, { backend, path: `/portForward/${namespace}/${name}`, query });
  };
}

function toKubelet(
  { transports, passing }: NodeCalls,
  context: Parameters<typeof forwardToLocation>[0],
  location: Parameters<typeof forwardToLocation>[1],
): Promise<void> {
  const transport = transports.kubelet;
  return forwardToLocation(context, location, {
    transport,
    upgradeRequired: true,
    rewritesLinks: false,
    ...passing,
  });
}

/** Returns the handler of a pod's /proxy, which leads to one of its ports. */
export function connectPodProxy({ transports, passing }: NodeCalls): Connect {
  return async ({ context, served, options }) => {
    const { name, namespace } = context.info;
    const id = splitSchemeNamePort(name);
    if (id === undefined) {
      throw badRequest(`invalid pod request ${goQuote(name)}`);
    }
    const pod = await readNamed(served, namespace, id.name);
    const address = textAt(listAt(pod, "status", "podIPs")[0], "ip");
    if (!isProxyableAddress(address)) {
      throw badRequest("address not allowed");
    }
    const backend = backendAt(id.scheme, address, id.port === "" ? firstPort(pod) : id.port);
    await forwardToLocation(
      context,
      { backend, path: joinPaths("", textAt(options, "path")), query: "" },
      { transport: transports.proxy, upgradeRequired: false, rewritesLinks: true, ...passing },
    );
  };
}

/** Returns the first port that a container tells; empty if none does. */
function firstPort(pod: JsonObject): string {
  for (const container of listAt(pod, "spec", "containers")) {
    const [port] = listAt(container, "ports");
    if (port !== undefined) {
      return String(integerAt(port, "containerPort"));
    }
  }
  return "";
}
