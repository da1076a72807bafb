import type { RegistrySource, ServedResource } from "@gatehouse/apiserver/registry";
import { type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { badRequest, notFound } from "@gatehouse/envelopes/status";
import { checkNodeAddress, unreachableNode } from "../node/connect.js";
import { findNamed } from "../read-named.js";

/** Throws 400 when a container is named that the pod does not have, or none is named and the pod has several. */
export function checkContainer(pod: JsonObject, wanted: string): void {
  const containers = ["initContainers", "containers", "ephemeralContainers"].flatMap((list) =>
    listAt(pod, "spec", list).map((container) => textAt(container, "name")),
  );
  const name = textAt(pod, "metadata", "name");
  if (wanted !== "" && !containers.includes(wanted)) {
    throw badRequest(`container ${wanted} is not valid for pod ${name}`);
  }
  if (wanted === "" && listAt(pod, "spec", "containers").length !== 1) {
    throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${containers.join(" ")}]`);
  }
}

/**
 * Rejects with the reason for which the kubelet of the pod's node cannot be called: no node, no address, or no
 * connection.
 */
export async function failAtNode(liveRegistry: RegistrySource, pods: ServedResource, pod: JsonObject): Promise<never> {
  const nodeName = textAt(pod, "spec", "nodeName");
  if (nodeName === "") {
    throw badRequest(`pod ${textAt(pod, "metadata", "name")} does not have a host assigned`);
  }
  const node = await findNamed(liveRegistry.current.find("", "v1", "nodes"), "", nodeName);
  if (node === undefined) {
    // v1.29 names the requested resource, not the missing one.
    throw notFound(pods, nodeName);
  }
  checkNodeAddress(node);
  throw unreachableNode();
}
