import type { ServedResource } from "@gatehouse/apiserver/registry";
import type { Backend } from "@gatehouse/apiserver/reverse-proxy";
import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { badRequest, notFound } from "@gatehouse/envelopes/status";
import { kubeletOf } from "../../../kubelet-client/kubelet-of.js";
import type { NodeCalls } from "../../../kubelet-client/node-calls.js";
import { findNamed } from "../read-named.js";

/** Finds the kubelet of a pod's node. Rejects with 400, 404 or 500 for a pod without a node, or a node without an address. */
export async function kubeletOfPod(
  { liveRegistry, config }: NodeCalls,
  pods: ServedResource,
  pod: JsonObject,
): Promise<Backend> {
  const nodeName = textAt(pod, "spec", "nodeName");
  if (nodeName === "") {
    throw badRequest(`pod ${textAt(pod, "metadata", "name")} does not have a host assigned`);
  }
  const node = await findNamed(liveRegistry.current.find("", "v1", "nodes"), "", nodeName);
  if (node === undefined) {
    // v1.29 names the requested resource, not the missing one.
    throw notFound(pods, nodeName);
  }
  return kubeletOf(node, config);
}
